package dev.parley.platform.serde;

import dev.parley.platform.serde.UnreadableRecordException.Reason;
import dev.parley.schemas.BundledSchema;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;

/** Reads the records of a container file, whatever version of their schemas it contains. */
final class UnionReader<T> implements DatumReader<T> {
    private final Class<T> type;
    private final List<BundledSchema> schemas;
    private final List<Class<?>> leaves;
    private List<ValueReader> readers = List.of();

    UnionReader(Class<T> type, List<BundledSchema> schemas) {
        this.type = type;
        this.schemas = schemas;
        this.leaves = JavaType.of(type).leaves();
    }

    @Override
    public void setSchema(Schema writer) {
        List<Schema> branches = writer.isUnion() ? writer.getTypes() : List.of(writer);
        readers = branches.stream().map(this::reader).toList();
    }

    private ValueReader reader(Schema writer) {
        for (int i = 0; i < schemas.size(); i++) {
            if (schemas.get(i).name().equals(writer.getFullName())) {
                return compile(writer, i);
            }
        }
        // thrown on read, since the file may have no record of this type
        return in -> {
            throw new UnreadableRecordException(
                    Reason.UNKNOWN_SCHEMA, "a file", writer.getFullName() + " is not known here", null);
        };
    }

    private ValueReader compile(Schema writer, int branch) {
        try {
            return Readers.compile(writer, schemas.get(branch).schema(), JavaType.of(leaves.get(branch)));
        } catch (AvroRuntimeException e) {
            throw new UnreadableRecordException(
                    Reason.INVALID_VALUE, "a file", writer.getFullName() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public T read(T reuse, Decoder in) throws IOException {
        int branch = in.readIndex();
        if (branch < 0 || branch >= readers.size()) {
            throw new AvroTypeException("there is no record of type " + branch);
        }
        try {
            return type.cast(Objects.requireNonNull(readers.get(branch).read(in), "a record is never null"));
        } catch (IllegalArgumentException e) { // from the constructor of the record
            throw new UnreadableRecordException(Reason.INVALID_VALUE, "a file", String.valueOf(e.getMessage()), e);
        }
    }
}
