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
    private static final String REFERENCE = "urn:parley:schema:";

    BundledSchema(int id, int version, Schema schema) {
        this(id, version, schema, fingerprint(schema));
    }

    /** The record's full name, for example {@code dev.parley.avro.TurnAccepted}. */
    public String name() {
        return schema.getFullName();
    }

    /** The URI by which records name the schema, {@code urn:parley:schema:{full name}:{fingerprint}}. */
    public String reference() {
        return reference(name(), fingerprint);
    }

    /** The URI by which records name a schema, whoever has it. */
    public static String reference(Schema schema) {
        return reference(schema.getFullName(), fingerprint(schema));
    }

    private static String reference(String name, String fingerprint) {
        return REFERENCE + name + ":" + fingerprint;
    }

    /**
     * The URI in the {@code ce_dataschema} of a record; records of releases before 0.2.0 have {@code {full
     * name}#{fingerprint}} instead.
     *
     * @return empty if it names no schema of Avro
     */
    public static String parseReference(String dataschema) {
        if (dataschema.startsWith(REFERENCE)) {
            return dataschema;
        }
        boolean isEarlier = dataschema.indexOf('#') > 0 && dataschema.indexOf(':') < 0;
        return isEarlier ? REFERENCE + dataschema.replace('#', ':') : "";
    }

    /** The fingerprint of a schema; two that read the same bytes in the same way have the same one. */
    public static String fingerprint(Schema schema) {
        return "%016x".formatted(SchemaNormalization.parsingFingerprint64(schema));
    }
}
