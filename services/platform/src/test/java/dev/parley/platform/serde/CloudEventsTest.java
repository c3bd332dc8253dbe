package dev.parley.platform.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Records are events as the SDK of CloudEvents for Java reads them: each type of each topic. */
class CloudEventsTest {
    static Stream<Arguments> records() {
        return Topics.all().stream()
                .filter(topic -> !topic.holdsCopies())
                .flatMap(topic -> JavaType.of(topic.type()).leaves().stream().map(leaf -> Arguments.of(topic, leaf)));
    }

    @ParameterizedTest
    @MethodSource("records")
    @Tag("B111")
    <V> void everyRecordIsACloudEvent(Topic<V> topic, Class<? extends V> leaf) {
        // Given
        UUID id = UUID.randomUUID();
        V value = new RandomRecords(7).next(leaf);
        ProducerRecord<byte[], byte[]> record = RecordCodec.record(topic, "key", value, id, null);

        // When
        CloudEvent event = KafkaMessageFactory.createReader(record.headers(), record.value())
                .toEvent();

        // Then
        assertEquals(SpecVersion.V1, event.getSpecVersion());
        assertEquals(id.toString(), event.getId());
        assertEquals("/parley/" + topic, event.getSource().toString());
        assertTrue(Objects.requireNonNull(event.getDataSchema()).isAbsolute(), "it is an absolute URI");
        assertEquals("application/vnd.apache.avro+binary", event.getDataContentType());
        assertArrayEquals(
                record.value(), Objects.requireNonNull(event.getData()).toBytes());
    }
}
