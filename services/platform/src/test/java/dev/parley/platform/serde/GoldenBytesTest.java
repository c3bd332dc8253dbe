package dev.parley.platform.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.session.SessionState;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes of one record of each type are in {@code src/test/resources/golden}, so that a format change shows in
 * review. {@code -Dparley.golden=write} writes them anew.
 */
class GoldenBytesTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    static Stream<Class<?>> records() {
        var topics = Topics.all().stream().map(Topic::type).filter(type -> !type.isArray());
        return Stream.<Class<?>>concat(topics, Stream.of(SessionState.class, Entry.class))
                .flatMap(type -> JavaType.of(type).leaves().stream())
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("records")
    @Tag("O6")
    void bytesAreThoseOfTheGoldenFile(Class<?> type) throws IOException {
        assertGolden(type);
    }

    private static <T> void assertGolden(Class<T> type) throws IOException {
        T sample = new RandomRecords(1).next(type);
        var serde = RecordSerde.of(type);
        byte[] bytes = serde.serializer().serialize("topic", sample);
        Path file = FOLDER.resolve(type.getSimpleName() + ".hex");
        if ("write".equals(System.getProperty("parley.golden"))) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, lines(bytes));
        }

        byte[] golden = HexFormat.of().parseHex(Files.readString(file).replace("\n", ""));

        assertEquals(lines(golden), lines(bytes));
        assertEquals(sample, serde.deserializer().deserialize("topic", golden));
        assertSame(sample, readByAvro(type, golden));
    }

    private static String lines(byte[] bytes) {
        return HexFormat.of().formatHex(bytes).replaceAll("(.{96})", "$1\n").stripTrailing() + "\n";
    }

    /** Reads with the class that Avro generated from the schema, without a line of the serde. */
    private static SpecificRecord readByAvro(Class<?> type, byte[] golden) throws IOException {
        String state = type.equals(SessionState.class) ? "state." : "";
        var schema = SpecificData.get().getSchema(generated("dev.parley.avro." + state + type.getSimpleName()));
        var reader = new SpecificDatumReader<SpecificRecord>(schema);
        return reader.read(null, DecoderFactory.get().binaryDecoder(golden, 5, golden.length - 5, null));
    }

    private static Class<?> generated(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertSame(@Nullable Object ours, @Nullable Object avros) {
        switch (ours) {
            case null -> assertNull(avros);
            case RecordKey key -> assertEquals(key.toString(), avros);
            case Duration duration -> assertEquals(duration.toMillis(), avros);
            case Vector vector -> assertEquals(vector.bytes(), avros);
            case Enum<?> constant -> assertEquals(constant.name(), String.valueOf(avros));
            case List<?> list -> assertSameItems(list, (List<?>) avros);
            case Map<?, ?> map -> map.forEach((key, value) -> assertSame(value, ((Map<?, ?>) avros).get(key)));
            case Record record -> assertSameFields(record, (SpecificRecord) avros);
            default -> assertEquals(ours, avros);
        }
    }

    private static void assertSameItems(List<?> ours, List<?> avros) {
        assertEquals(ours.size(), avros.size());
        for (int i = 0; i < ours.size(); i++) {
            assertSame(ours.get(i), avros.get(i));
        }
    }

    private static void assertSameFields(Record ours, SpecificRecord avros) {
        RecordType type = RecordType.of(ours.getClass());
        for (int i = 0; i < type.names().size(); i++) {
            assertSame(
                    type.get(ours, i),
                    avros.get(avros.getSchema().getField(type.names().get(i)).pos()));
        }
    }
}
