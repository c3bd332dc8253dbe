package dev.parley.platform.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.session.SessionState;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {
    private static final int RECORDS = 2_000; // of each type: 22,000 in all

    static Stream<Class<?>> types() {
        var topics = Topics.all().stream().map(Topic::type).filter(type -> !type.isArray());
        return Stream.concat(topics, Stream.of(SessionState.class, Entry.class));
    }

    @ParameterizedTest
    @MethodSource("types")
    @Tag("O6")
    void recordsSurviveARoundTrip(Class<?> type) {
        assertRoundTrips(type, new RandomRecords(type.getName().hashCode()));
    }

    private static <T> void assertRoundTrips(Class<T> type, RandomRecords random) {
        RecordSerde<T> serde = RecordSerde.of(type);
        Set<Class<?>> types = new HashSet<>();
        for (int i = 0; i < RECORDS; i++) {
            T value = random.next(type);
            var headers = new RecordHeaders();
            byte[] bytes = serde.serializer().serialize("topic", headers, value);
            assertEquals(value, serde.deserializer().deserialize("topic", headers, bytes));
            assertEquals(value, serde.deserializer().deserialize("topic", bytes), "by id, without headers");
            types.add(value.getClass());
        }
        assertEquals(Set.copyOf(JavaType.of(type).leaves()), types, "every record of the type was tried");
    }

    @Test
    void equalRecordsHaveEqualBytes() {
        var serializer = RecordSerde.of(SessionState.class).serializer();
        for (int seed = 0; seed < 500; seed++) {
            assertArrayEquals(
                    serializer.serialize("t", new RandomRecords(seed).next(SessionState.class)),
                    serializer.serialize("t", new RandomRecords(seed).next(SessionState.class)));
        }
    }

    @Test
    void aMegabyteOfTextIsRead() {
        var entry = new Entry(new UUID(1, 2), 3, Message.text(Role.USER, "🦜é".repeat(1 << 18)));
        var serde = RecordSerde.of(Entry.class);

        byte[] bytes = serde.serializer().serialize("t", entry);

        assertEquals(entry, serde.deserializer().deserialize("t", bytes));
    }

    @Test
    @Tag("P24")
    @Tag("P26")
    void keepsAnUnknownProviderItemByteForByte() {
        // Given
        String json = "{ \"type\":\"new_thing\", \"n\": 1.0e2,\t\"s\":\"\\u0000é\", \"half\":\"\\ud800\", \"one\":1.0,"
                + " \"long\":9007199254740993, \"twice\":1, \"twice\":2, \"nul\":\"\u0000\", \"pair\":\"🦜\" }";
        var raw = new Block.Raw(new ProviderItem("openai", "new_thing", json));
        var entry = new Entry(new UUID(1, 2), 3, new Message(Role.ASSISTANT, List.of(raw), false, "openai", "m"));
        var serde = RecordSerde.of(Entry.class);

        // When
        Entry read = serde.deserializer().deserialize("t", serde.serializer().serialize("t", entry));

        // Then
        assertEquals(entry, read);
        assertEquals(
                List.of(json),
                read.message().blocks().stream()
                        .map(block -> block.raw().json())
                        .collect(Collectors.toList()));
    }
}
