package dev.parley.platform.serde;

import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.util.Optional;
import org.apache.avro.Schema;

/** Schema ids in front of records, for consumers that do not know {@code ce_dataschema}. */
public interface SchemaIds {
    /**
     * The id to write records of this schema with.
     *
     * @throws IllegalStateException when the schema has none
     */
    int idOf(BundledSchema schema);

    /**
     * The schema that records with this id were written with, or empty where nobody knows it.
     *
     * @throws IllegalStateException when it cannot be found out now: the record is not to blame
     */
    Optional<Schema> schemaOf(int id);

    /** The ids that come with this build. */
    static SchemaIds bundled() {
        return new SchemaIds() {
            @Override
            public int idOf(BundledSchema schema) {
                return schema.id();
            }

            @Override
            public Optional<Schema> schemaOf(int id) {
                return SchemaCatalog.bundled().byId(id).map(BundledSchema::schema);
            }
        };
    }
}
