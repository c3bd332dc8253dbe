package dev.parley.platform.serde;

import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.util.Optional;
import org.apache.avro.Schema;

/** Schema ids in front of records, for consumers that do not know {@code ce_dataschema}. */
public interface SchemaIds {
    /**
     * The id of a schema.
     *
     * @throws IllegalStateException if it has none
     */
    int idOf(BundledSchema schema);

    /**
     * The schema with an id; empty if it is unknown.
     *
     * @throws SchemaLookupException if it cannot be looked up now
     */
    Optional<Schema> schemaOf(int id);

    /** The ids of this build. */
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
