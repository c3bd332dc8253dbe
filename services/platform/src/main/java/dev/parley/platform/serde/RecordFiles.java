package dev.parley.platform.serde;

import dev.parley.schemas.BundledSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Domain records in Avro's object container files. A file holds the schemas that its records were written with, so that what
 * an older version wrote is read as today's records.
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
        this.references = schemas.stream()
                .map(schema -> schema.name() + "#" + schema.fingerprint())
                .toList();
        var leaves = JavaType.of(type).leaves();
        for (int i = 0; i < leaves.size(); i++) {
            branches.put(leaves.get(i), i);
        }
    }

    /** Files of these records. */
    public static <T> RecordFiles<T> of(Class<T> type) {
        return new RecordFiles<>(type);
    }

    /**
     * A record as a file takes it.
     *
     * @param branch number of its type among those that it may have
     * @param body as today's schema writes it
     */
    public record Encoded(int branch, byte[] body) {}

    /** The records' types, in the order of {@link Encoded#branch}. */
    public List<BundledSchema> schemas() {
        return schemas;
    }

    /** Number of a type. */
    public int branch(Class<? extends T> leaf) {
        return Objects.requireNonNull(branches.get(leaf));
    }

    /** A value that stood on a topic; its bytes are taken as they are where they were written with today's schema. */
    public Encoded encoded(T value, Headers headers, byte[] wire) {
        int branch = Objects.requireNonNull(branches.get(value.getClass()));
        Header header = headers.lastHeader(RecordSerde.DATASCHEMA);
        boolean today =
                header != null && references.get(branch).equals(new String(header.value(), StandardCharsets.UTF_8));
        byte[] bytes = today ? wire : RecordSerde.of(type).serializer().serialize("a file", value);
        return new Encoded(branch, Arrays.copyOfRange(bytes, RecordSerde.PREFIX, bytes.length));
    }

    /** The value again. */
    public T decoded(Encoded encoded) {
        byte[] wire = ByteBuffer.allocate(RecordSerde.PREFIX + encoded.body().length)
                .put((byte) 0)
                .putInt(schemas.get(encoded.branch()).id())
                .put(encoded.body())
                .array();
        return RecordSerde.of(type).deserializer().deserialize("a file", wire);
    }

    /** Begins a file. */
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
            int index = record.branch() << 1; // as Avro writes a number that is not negative
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
     * @throws IOException when it is none, or ends too early
     * @throws UnreadableRecordException when it holds records of a type that is not known here
     */
    public DataFileStream<T> read(InputStream in) throws IOException {
        return new DataFileStream<>(in, new UnionReader<>(type, schemas));
    }
}
