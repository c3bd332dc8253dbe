package dev.parley.platform.serde;

import dev.parley.domain.protocol.NamedEvent;
import dev.parley.domain.protocol.StateOnly;
import dev.parley.platform.serde.UnreadableRecordException.Reason;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes domain records: byte 0, the id of the schema in four bytes, Avro binary. Null is a tombstone.
 *
 * <p>Headers name the type of a value ({@code ce_type}), its format ({@code content-type}) and its schema ({@code
 * ce_dataschema}, a URI with full name and fingerprint), which takes precedence over the id, since ids depend on the registry. Values with an older or newer
 * schema are resolved as Avro prescribes: unknown fields are skipped, missing fields have their defaults, unknown enum
 * symbols become the default symbol.
 *
 * <p>Instants are truncated to microseconds and durations to milliseconds. Thread-safe.
 */
public final class RecordSerde<T> implements Serde<T> {
    /** Header with the simple name of the record, or the event type of a {@link NamedEvent}. */
    public static final String TYPE = "ce_type";

    /** Header with the schema of the record, {@link BundledSchema#reference()}. */
    public static final String DATASCHEMA = "ce_dataschema";

    /** Header with the media type of the value, as the Kafka binding of CloudEvents names it. */
    public static final String CONTENT_TYPE = "content-type";

    /** Media type of values in Avro. */
    public static final String AVRO = "application/vnd.apache.avro+binary";

    static final byte MAGIC = 0;

    /** Number of bytes before a record: the magic byte and the id of the schema. */
    static final int PREFIX = 5;

    private static final byte[] AVRO_HEADER = utf8(AVRO);
    private static final int MAX_READERS = 10_000;
    private static final Map<Class<?>, RecordSerde<?>> BUNDLED = new ConcurrentHashMap<>();
    private static final ThreadLocal<ThreadBuffers> SCRATCH = ThreadLocal.withInitial(ThreadBuffers::new);

    private final Class<T> type;
    private final WriterSchemas schemas;
    private final Map<Class<?>, Leaf> leaves = new HashMap<>();
    private final Map<Object, ValueReader> readers = new ConcurrentHashMap<>();

    /** A record class of the type, with its schema, headers and writer. */
    private record Leaf(
            Class<?> type, BundledSchema schema, int id, byte[] typeHeader, byte[] schemaHeader, ValueWriter writer) {
        static Leaf of(Class<?> type, BundledSchema schema, int id, ValueWriter writer) {
            String name = schema.schema().getName();
            return new Leaf(type, schema, id, utf8(name), utf8(schema.reference()), writer);
        }
    }

    private RecordSerde(Class<T> type, SchemaIds ids) {
        this.type = type;
        this.schemas = new WriterSchemas(ids);
        var writers = new Writers();
        for (Class<?> leaf : JavaType.of(type).leaves()) {
            BundledSchema schema = schema(leaf);
            var writer = writers.compile(schema.schema(), JavaType.of(leaf), SchemaNames.of(leaf));
            int id = isPublished(leaf) ? ids.idOf(schema) : schema.id(); // no registry has what is on no topic
            leaves.put(leaf, Leaf.of(leaf, schema, id, writer));
        }
    }

    /**
     * The serde of a type, with the schema ids of this build.
     *
     * @param type a record, or a sealed interface for the records that implement it
     * @throws IllegalStateException if a record and its schema differ, naming the place
     */
    @SuppressWarnings("unchecked")
    public static <T> RecordSerde<T> of(Class<T> type) {
        return (RecordSerde<T>) BUNDLED.computeIfAbsent(type, t -> of(t, SchemaIds.bundled()));
    }

    /** The serde of a type, with the schema ids of a registry. */
    public static <T> RecordSerde<T> of(Class<T> type, SchemaIds ids) {
        return new RecordSerde<>(type, ids);
    }

    /** The current schemas of the record classes of a type. */
    public static List<BundledSchema> schemas(Class<?> type) {
        return JavaType.of(type).leaves().stream().map(RecordSerde::schema).toList();
    }

    /** The current schemas of the record classes of a type that stand on topics. */
    public static List<BundledSchema> published(Class<?> type) {
        return JavaType.of(type).leaves().stream()
                .filter(RecordSerde::isPublished)
                .map(RecordSerde::schema)
                .toList();
    }

    private static boolean isPublished(Class<?> leaf) {
        return !StateOnly.class.isAssignableFrom(leaf);
    }

    private static BundledSchema schema(Class<?> leaf) {
        return SchemaCatalog.bundled()
                .current(SchemaNames.of(leaf))
                .orElseThrow(() -> new IllegalStateException("there is no schema for the record " + leaf.getName()));
    }

    @Override
    public Serializer<T> serializer() {
        return new Serializer<>() {
            @Override
            public byte @Nullable [] serialize(String topic, @Nullable T value) {
                return value == null ? null : write(topic, leaf(topic, value), value);
            }

            @Override
            public byte @Nullable [] serialize(String topic, Headers headers, @Nullable T value) {
                return value == null ? null : writeWithHeaders(topic, headers, value);
            }
        };
    }

    @Override
    public Deserializer<T> deserializer() {
        return new Deserializer<>() {
            @Override
            public @Nullable T deserialize(String topic, byte @Nullable [] bytes) {
                return deserialize(topic, new RecordHeaders(), bytes);
            }

            @Override
            public @Nullable T deserialize(String topic, Headers headers, byte @Nullable [] bytes) {
                return bytes == null ? null : read(topic, headers, bytes);
            }
        };
    }

    private byte[] writeWithHeaders(String topic, Headers headers, T value) {
        Leaf leaf = leaf(topic, value);
        byte[] bytes = write(topic, leaf, value);
        byte[] name = value instanceof NamedEvent event ? utf8(event.eventType()) : leaf.typeHeader();
        headers.remove(TYPE).add(TYPE, name);
        headers.remove(DATASCHEMA).add(DATASCHEMA, leaf.schemaHeader());
        headers.remove(CONTENT_TYPE).add(CONTENT_TYPE, AVRO_HEADER);
        return bytes;
    }

    private Leaf leaf(String topic, T value) {
        Leaf leaf = leaves.get(value.getClass());
        if (leaf == null) {
            throw new SerializationException("a " + value.getClass().getName() + " cannot be written to " + topic
                    + ", which has " + type.getName());
        }
        return leaf;
    }

    private static byte[] write(String topic, Leaf leaf, Object value) {
        ThreadBuffers scratch = SCRATCH.get();
        try {
            var out = scratch.encoder(MAGIC, leaf.id());
            leaf.writer().write(value, out);
            out.flush();
            return scratch.encodedBytes();
        } catch (IOException | ArithmeticException | NullPointerException e) {
            throw new SerializationException(
                    "a " + leaf.schema().name() + " cannot be written to " + topic + ": " + e.getMessage(), e);
        }
    }

    private T read(String topic, Headers headers, byte[] bytes) {
        if (bytes.length > 0 && bytes[0] != MAGIC) {
            throw new UnreadableRecordException(
                    Reason.UNKNOWN_MAGIC_BYTE, topic, "it begins with byte " + bytes[0] + " instead of 0", null);
        }
        if (bytes.length < PREFIX) {
            throw new UnreadableRecordException(
                    Reason.WRONG_LENGTH, topic, "it has " + bytes.length + " bytes, less than a schema id needs", null);
        }
        ValueReader reader = reader(topic, headers, ByteBuffer.wrap(bytes).getInt(1));
        return decode(topic, reader, SCRATCH.get().decoder(bytes, PREFIX));
    }

    private T decode(String topic, ValueReader reader, BinaryDecoder in) {
        try {
            Object value = Objects.requireNonNull(reader.read(in), "a record is never null");
            if (!in.isEnd()) {
                throw new UnreadableRecordException(Reason.WRONG_LENGTH, topic, "it has bytes after its end", null);
            }
            return type.cast(value);
        } catch (EOFException e) {
            throw new UnreadableRecordException(Reason.WRONG_LENGTH, topic, "its bytes end too early", e);
        } catch (SerializationException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new UnreadableRecordException(Reason.INVALID_VALUE, topic, String.valueOf(e.getMessage()), e);
        }
    }

    /** The text of a header; null without one or its value. */
    public static @Nullable String header(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    private ValueReader reader(String topic, Headers headers, int id) {
        String reference = WriterSchemas.reference(headers);
        Object key = reference.isEmpty() ? (Object) id : reference;
        ValueReader cached = readers.get(key);
        return cached != null ? cached : compileAndCache(key, topic, schemas.find(topic, reference, id));
    }

    private ValueReader compileAndCache(Object key, String topic, Schema writer) {
        ValueReader reader = compile(topic, writer);
        if (readers.size() >= MAX_READERS) {
            readers.clear();
        }
        readers.put(key, reader);
        return reader;
    }

    private ValueReader compile(String topic, Schema writer) {
        Leaf leaf = find(candidate -> candidate.schema().name().equals(writer.getFullName()))
                .or(() -> find(
                        candidate -> candidate.schema().schema().getAliases().contains(writer.getFullName())))
                .orElseThrow(() -> new UnreadableRecordException(
                        Reason.WRONG_TYPE, topic, "it is a " + writer.getFullName() + ", no " + type.getName(), null));
        try {
            return Readers.compile(writer, leaf.schema().schema(), JavaType.of(leaf.type()));
        } catch (AvroRuntimeException e) {
            throw new UnreadableRecordException(
                    Reason.INVALID_VALUE, topic, "its schema " + writer.getFullName() + ": " + e.getMessage(), e);
        }
    }

    private Optional<Leaf> find(Predicate<Leaf> condition) {
        return leaves.values().stream().filter(condition).findFirst();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
