package dev.parley.workflows.proto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtoTextTest {
    private static String error(String text) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> ProtoText.read(text))
                .getMessage());
    }

    @Test
    @Tag("W29")
    void messagesEnumsAndServicesAreRead() {
        // When
        FileDescriptor file = ProtoText.read("""
                syntax = "proto3";
                // A shop.
                package shop.v1;
                import "google/protobuf/timestamp.proto";
                option java_package = "com.example.shop";
                message Order {
                  option deprecated = true;
                  enum State { option allow_alias = true; NEW = 0; OPEN = 0; PAID = 1; }
                  message Item { string sku = 1; sint32 count = 2; }
                  reserved 9, 20 to 30;
                  string order_id = 1 [json_name = "id"];
                  State state = 2;
                  repeated Item items = 3;
                  map<string, Item> by_sku = 4;
                  google.protobuf.Timestamp made_at = 5;
                  optional int64 total = 6;
                  oneof payer { string person = 7; .shop.v1.Company company = 8; }
                  repeated int32 codes = 10 [packed = false];
                }
                message Company { bytes logo = 1; Order.State last = 2; }
                service Orders {
                  rpc Find (Order) returns (Company) { option deprecated = true; }
                  rpc Watch (Order) returns (stream Order);
                }
                """);

        // Then
        Descriptor order = file.findMessageTypeByName("Order");
        assertEquals("shop.v1.Order", order.getFullName());
        assertEquals("id", order.findFieldByName("order_id").getJsonName());
        assertEquals(
                "PAID",
                order.findFieldByName("state")
                        .getEnumType()
                        .findValueByNumber(1)
                        .getName());
        assertTrue(order.findFieldByName("by_sku").isMapField());
        assertEquals(
                FieldDescriptor.Type.SINT32,
                order.findFieldByName("items")
                        .getMessageType()
                        .findFieldByName("count")
                        .getType());
        assertTrue(order.findFieldByName("total").hasPresence());
        assertFalse(order.findFieldByName("order_id").hasPresence());
        assertEquals(2, order.getRealOneofs().getFirst().getFieldCount());
        assertFalse(order.findFieldByName("codes").isPacked());
        MethodDescriptor watch = file.findServiceByName("Orders").findMethodByName("Watch");
        assertTrue(watch.isServerStreaming());
        assertEquals("shop.v1.Orders.Watch", watch.getFullName());
    }

    @Test
    @Tag("W29")
    void ignoresImportsThatOnlyOptionsNeed() {
        FileDescriptor file = ProtoText.read("""
                syntax = "proto3";
                import "google/api/annotations.proto";
                message Ping {}
                service Pings {
                  rpc Send (Ping) returns (Ping) { option (google.api.http) = { get: "/v1/ping" additional_bindings { get: "/p" } }; }
                }
                """);

        assertEquals(1, file.getServices().size());
    }

    @Test
    void readsProto2() {
        // When
        FileDescriptor file = ProtoText.read("""
                message Old {
                  required string name = 1;
                  optional int32 size = 2 [default = 7];
                  extensions 100 to 199;
                }
                extend Old { optional string more = 100; }
                """);

        // Then
        assertTrue(file.findMessageTypeByName("Old").findFieldByName("name").isRequired());
        assertEquals("", file.getPackage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "<html>no such page</html> ~ 1:1",
                "syntax = \"proto3\"; message A { string = 1; } ~ Syntax error",
                "syntax = \"proto4\"; message A {} ~ proto4",
                "edition = \"2023\"; message A {} ~ edition",
                "syntax = \"proto3\"; message A { B b = 1; } ~ \"B\" is not defined",
                "syntax = \"proto3\"; import \"shop/b.proto\"; message A { B b = 1; } ~ imports other than google/protobuf are not fetched: copy the needed parts of shop/b.proto",
                "syntax = \"proto3\"; message A { string a = 1; string b = 1; } ~ Field number 1 has already been used",
                "message A { optional group B = 1 { optional string c = 2; } } ~ groups",
                "syntax = \"proto3\"; message A {} service S { rpc R (A) returns (C); } ~ \"C\" is not defined",
            })
    @Tag("W29")
    void reportsSyntaxErrors(String text, String expected) {
        String message = error(text);

        assertTrue(message.contains(expected), message);
        assertFalse(message.contains("\n"), message);
    }

    @Test
    void rejectsExcessiveNesting() {
        String deep = "message A { ".repeat(15_000) + "}".repeat(15_000);

        assertTrue(error("syntax = \"proto3\"; " + deep).contains("too deep"));
    }
}
