package dev.parley.platform.document;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.schemas.SchemaCatalog;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The schemas of documents in OpenAPI: types and bounds are those of the record, descriptions those of its Avro schema.
 */
public final class DocumentSchemas {
    static final String REFERENCE = "#/components/schemas/";

    private static final ObjectMapper JSON = JsonMappers.stored();

    private DocumentSchemas() {}
}
