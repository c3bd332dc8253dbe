package dev.parley.schemas;

import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * One version of the schema of a record that stands alone: a topic's value or a store's.
 *
 * @param id the number that stands in front of the record's bytes where no registry is configured; never reused
 * @param version number of the released set in which this version first stood, from 1
 * @param schema complete: every type that it uses is defined inside it
 * @param fingerprint 16 hex digits, CRC-64-AVRO of the parsing canonical form
 */
public record BundledSchema(int id, int version, Schema schema, String fingerprint) {
    BundledSchema(int id, int version, Schema schema) {
        this(id, version, schema, fingerprint(schema));
    }

    /** The record's full name, for example {@code dev.parley.avro.TurnAccepted}. */
    public String name() {
        return schema.getFullName();
    }

    /** The fingerprint of a schema; two that read the same bytes in the same way have the same one. */
    public static String fingerprint(Schema schema) {
        return "%016x".formatted(SchemaNormalization.parsingFingerprint64(schema));
    }
}
