package dev.parley.platform.serde;

import dev.parley.schemas.BundledSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.kafka.common.header.Headers;

/**
 * Domain records in Avro object container files. A file contains the schemas of its records, so that records of older
 * versions can be read.
 */
public final class RecordFiles<T> {
    private static final int FASTEST = 1;

    private final Class<T> type;
    private final List<BundledSchema> schemas;
    private final Schema union;
    private final Map<Class<?>, Integer> branches = new HashMap<>();
    private final List<String> references;

    private RecordFiles(Class<T> type) {
        this.type = type;
        this.schemas = RecordSerde.schemas(type);
        this.union =
                Schema.createUnion(schemas.stream().map(BundledSchema::schema).toList());
        this.references = schemas.stream().map(BundledSchema::reference).toList();
        var leaves = JavaType.of(type).leaves();
        for (int i = 0; i < leaves.size(); i++) {
            branches.put(leaves.get(i), i);
        }
    }

    /** Files with records of this type. */
    public static <T> RecordFiles<T> of(Class<T> type) {
        return new RecordFiles<>(type);
    }

    /**
     * An encoded record.
     *
     * @param branch index of its type in {@link #schemas()}
     * @param body encoded with the current schema
     */
    public record Encoded(int branch, byte[] body) {}

    /** The schemas of the record types, in the order of {@link Encoded#branch}. */
    public List<BundledSchema> schemas() {
        return schemas;
    }

    /** The index of a type in {@link #schemas()}. */
    public int branch(Class<? extends T> leaf) {
        return Objects.requireNonNull(branches.get(leaf));
    }

    /** Encodes the value of a record; reuses its bytes if they have the current schema. */
    public Encoded encode(T value, Headers headers, byte[] wire) {
        int branch = Objects.requireNonNull(branches.get(value.getClass()));
        boolean isCurrent = references.get(branch).equals(WriterSchemas.reference(headers));
        byte[] bytes = isCurrent ? wire : RecordSerde.of(type).serializer().serialize("a file", value);
        return new Encoded(branch, Arrays.copyOfRange(bytes, RecordSerde.PREFIX, bytes.length));
    }

    /** Decodes a value. */
    public T decode(Encoded encoded) {
        byte[] wire = ByteBuffer.allocate(RecordSerde.PREFIX + encoded.body().length)
                .put((byte) 0)
                .putInt(schemas.get(encoded.branch()).id())
                .put(encoded.body())
                .array();
        return RecordSerde.of(type).deserializer().deserialize("a file", wire);
    }

    /** Starts a file. */
    public Writer writer(OutputStream out) throws IOException {
        var file = new DataFileWriter<>(new GenericDatumWriter<>());
        file.setCodec(CodecFactory.deflateCodec(FASTEST));
        return new Writer(file.create(union, out));
    }

    /** Writes one file. */
    public static final class Writer implements AutoCloseable {
        private final DataFileWriter<Object> file;

        private Writer(DataFileWriter<Object> file) {
            this.file = file;
        }

        /** Adds a record. */
        public void add(Encoded record) throws IOException {
            var bytes = ByteBuffer.allocate(record.body().length + RecordSerde.PREFIX);
            int index = record.branch() << 1; // zigzag varint of a non-negative number
            for (; index > 0x7f; index >>>= 7) {
                bytes.put((byte) (index & 0x7f | 0x80));
            }
            file.appendEncoded(bytes.put((byte) index).put(record.body()).flip());
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it is invalid or truncated
     * @throws UnreadableRecordException if it has records of an unknown type
     */
    public DataFileStream<T> read(InputStream in) throws IOException {
        return new DataFileStream<>(in, new UnionReader<>(type, schemas));
    }
}
