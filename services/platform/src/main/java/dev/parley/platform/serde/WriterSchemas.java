package dev.parley.platform.serde;

import dev.parley.platform.serde.UnreadableRecordException.Reason;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Headers;

/** The schemas that records were written with. */
final class WriterSchemas {
    private final SchemaCatalog catalog = SchemaCatalog.bundled();
    private final SchemaIds ids;

    /** @param ids looks up schemas that the headers do not name or this build does not have */
    WriterSchemas(SchemaIds ids) {
        this.ids = ids;
    }

    /** The reference in a record's headers; empty where there is none, or one of another form. */
    static String reference(Headers headers) {
        String reference = RecordSerde.header(headers, RecordSerde.DATASCHEMA);
        return reference == null ? "" : BundledSchema.parseReference(reference);
    }

    /**
     * The schema of a record. A reference takes precedence over the id, since ids depend on the registry.
     *
     * @param reference from its headers, or empty
     * @throws UnreadableRecordException if the schema is unknown
     * @throws SchemaLookupException if it cannot be looked up now
     */
    Schema find(String topic, String reference, int id) {
        return catalog.byReference(reference)
                .map(BundledSchema::schema)
                .or(() -> ids.schemaOf(id)
                        .filter(found -> reference.isEmpty() || reference.equals(BundledSchema.reference(found))))
                .orElseThrow(() -> new UnreadableRecordException(
                        Reason.UNKNOWN_SCHEMA,
                        topic,
                        reference.isEmpty()
                                ? "the id " + id + " names no schema known here"
                                : "neither " + reference + " nor the id " + id + " names a schema known here",
                        null));
    }
}
