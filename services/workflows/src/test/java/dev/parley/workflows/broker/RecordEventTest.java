package dev.parley.workflows.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.config.BrokersConfig.MappedTopic;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RecordEventTest {
    private static final MappedTopic ORDERS = new MappedTopic("orders", null, "shop.order", "kafka:orders", null);

    private static Json event(byte[] value, Map<String, String> headers) {
        var recordHeaders = new RecordHeaders();
        headers.forEach((name, text) -> recordHeaders.add(name, text.getBytes(UTF_8)));
        var record = new ConsumerRecord<>(
                "orders",
                1,
                17,
                1_700_000_000_000L,
                TimestampType.CREATE_TIME,
                -1,
                value.length,
                "k".getBytes(UTF_8),
                value,
                recordHeaders,
                Optional.empty());
        return new RecordEvent(ORDERS, record).event();
    }

    private static Json event(String value, Map<String, String> headers) {
        return event(value.getBytes(UTF_8), headers);
    }

    @Test
    void wrapsAPlainRecordInAnEventOfItsMapping() {
        assertEquals(JsonText.read("""
                        {"specversion": "1.0", "id": "orders-1-17-1700000000000", "source": "kafka:orders",
                         "type": "shop.order", "time": "2023-11-14T22:13:20Z", "partitionkey": "k", "data": {"n": 1}}
                        """), event("{\"n\": 1}", Map.of()));
        assertEquals(Json.of("just a text"), event("just a text", Map.of()).get("data"));
        assertEquals(Json.of("/w=="), event(new byte[] {(byte) 0xff}, Map.of()).get("data_base64"));
    }

    @Test
    void aBinaryEventHasItsAttributesInHeaders() {
        // Given
        var headers =
                Map.of("ce_specversion", "1.0", "ce_id", "7", "ce_source", "urn:x", "ce_type", "x.y", "ce_tenant", "t");

        // When
        Json json = event("{\"n\": 1}", headers);
        Json text = event("5", Map.of("ce_id", "7", "content-type", "text/plain"));

        // Then
        assertEquals("urn:x", json.get("source").display());
        assertEquals("t", json.get("tenant").display());
        assertEquals(JsonText.read("{\"n\": 1}"), json.get("data"));
        assertEquals(Json.of("5"), text.get("data"));
        assertThrows(IllegalArgumentException.class, () -> event("{", headers));
    }

    @Test
    void aStructuredEventIsItsValue() {
        var headers = Map.of("content-type", "application/cloudevents+json; charset=UTF-8");
        String value = "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"urn:x\",\"type\":\"x.y\"}";

        assertEquals(value, event(value, headers).toString());
        assertThrows(IllegalArgumentException.class, () -> event("no JSON", headers));
    }
}
