package dev.parley.workflows.proto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import com.google.protobuf.Timestamp;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtoJsonTest {
    private static final int MOST = 1_000;

    private static final Descriptor ALL = ProtoText.read("""
            syntax = "proto3";
            import "google/protobuf/any.proto";
            import "google/protobuf/duration.proto";
            import "google/protobuf/struct.proto";
            import "google/protobuf/timestamp.proto";
            import "google/protobuf/wrappers.proto";
            message All {
              enum Colour { NONE = 0; RED = 3; }
              string user_name = 1;
              int64 large = 2;
              uint64 larger = 3;
              double ratio = 4;
              bool on = 5;
              bytes raw = 6;
              Colour colour = 7;
              repeated int32 codes = 8;
              map<int32, string> names = 9;
              google.protobuf.Timestamp at = 10;
              google.protobuf.Duration lasts = 11;
              google.protobuf.StringValue note = 12;
              google.protobuf.Struct free = 13;
              google.protobuf.Any any = 14;
              All inner = 15;
              oneof either { string left = 16; int32 right = 17; }
            }
            """).findMessageTypeByName("All");

    private static Descriptor of(String fields) {
        return ProtoText.read("syntax = \"proto3\"; message M { " + fields + " }")
                .findMessageTypeByName("M");
    }

    /** A message after a round trip through bytes, with the members of the input only. */
    private static Json through(String json) {
        Json decoded = ProtoJson.read(ALL, ProtoJson.bytes(ALL, JsonText.read(json)), MOST);
        Json selected = Json.of(new java.util.LinkedHashMap<>());
        for (var member : decoded.map().entrySet()) {
            if (JsonText.read(json).map().containsKey(member.getKey())) {
                selected = selected.with(member.getKey(), member.getValue());
            }
        }
        return selected;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"userName\":\"Ann\"}",
                "{\"large\":\"9223372036854775807\",\"larger\":\"18446744073709551615\"}",
                "{\"ratio\":0.5,\"on\":true}",
                "{\"raw\":\"AQID\"}",
                "{\"colour\":\"RED\"}",
                "{\"codes\":[1,2,-3]}",
                "{\"names\":{\"1\":\"one\",\"2\":\"two\"}}",
                "{\"at\":\"2026-11-26T10:00:00.250Z\",\"lasts\":\"90.500s\"}",
                "{\"note\":\"well\"}",
                "{\"free\":{\"a\":[1,null,{\"b\":true}]}}",
                "{\"any\":{\"@type\":\"type.googleapis.com/google.protobuf.Duration\",\"value\":\"3s\"}}",
                "{\"right\":4}",
            })
    @Tag("W29")
    void valuesSurviveARoundTrip(String json) {
        assertEquals(JsonText.read(json), through(json));
    }

    @Test
    @Tag("W29")
    void bytesAreCompatibleWithOtherImplementations() throws InvalidProtocolBufferException {
        // Given
        Descriptor text = of("string text = 1;");
        Descriptor time = of("int64 s = 1; int32 n = 2;");

        // Then
        assertEquals(
                "Hello",
                StringValue.parseFrom(ProtoJson.bytes(text, Json.of("text", Json.of("Hello"))))
                        .getValue());
        assertEquals(
                Timestamp.newBuilder().setSeconds(-1).setNanos(300).build(),
                Timestamp.parseFrom(ProtoJson.bytes(time, JsonText.read("{\"s\":\"-1\",\"n\":300}"))));
        assertArrayEquals(
                HexFormat.of().parseHex("0a0303ac02"),
                ProtoJson.bytes(of("repeated int32 packed = 1;"), JsonText.read("{\"packed\":[3,300]}")));
    }

    @Test
    @Tag("W29")
    void acceptsOriginalFieldNamesAndNumericValues() {
        byte[] bytes =
                ProtoJson.bytes(ALL, JsonText.read("{\"user_name\":\"Ann\",\"large\":12,\"colour\":3,\"note\":null}"));

        Json read = ProtoJson.read(ALL, bytes, MOST);

        assertEquals("Ann", read.get("userName").display());
        assertEquals(Json.of("12"), read.get("large"));
        assertEquals("RED", read.get("colour").display());
        assertTrue(read.get("note").isNull());
    }

    @Test
    @Tag("W29")
    void fieldsWithoutPresenceAreAlwaysWritten() {
        Json read = ProtoJson.read(
                of("int32 n = 1; repeated string s = 2; optional int32 o = 3; M m = 4;"), new byte[0], MOST);

        assertEquals(JsonText.read("{\"n\":0,\"s\":[]}"), read);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"user\":\"Ann\"} ~ Cannot find field: user in message All",
                "{\"large\":\"much\"} ~ Not an int64 value: \"much\"",
                "{\"larger\":\"1e999999999\"} ~ uint64",
                "{\"colour\":\"PINK\"} ~ Invalid enum value: \"PINK\"",
                "{\"raw\":\"*\"} ~ base",
                "{\"at\":\"tomorrow\"} ~ tomorrow",
                "{\"left\":\"a\",\"right\":1} ~ right",
                "[] ~ Expect message object",
            })
    @Tag("W29")
    void rejectsValuesOfTheWrongType(String json, String expected) {
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> ProtoJson.bytes(ALL, JsonText.read(json)))
                        .getMessage());

        assertTrue(message.contains(expected), message);
    }

    @Test
    void limitsTheSizeOfTheJson() {
        Descriptor list = of("message Item { string a_rather_long_name = 1; } repeated Item items = 1;");
        byte[] bytes = new byte[200];
        for (int i = 0; i < bytes.length; i += 2) {
            bytes[i] = 0x0a; // an empty item
        }

        assertThrows(IllegalArgumentException.class, () -> ProtoJson.read(list, bytes, MOST));
        assertEquals(
                100, ProtoJson.read(list, bytes, 10_000).get("items").list().size());
        assertThrows(IllegalArgumentException.class, () -> ProtoJson.read(list, new byte[] {0x0a, 5}, MOST));
    }
}
