package dev.parley.channels.registry;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.platform.http.Public;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.util.List;

/**
 * Read-only schema registry for standard consumers: the first five bytes of a record contain the id of its schema.
 * Subjects are {@code {topic}-{full record name}}. Responses are bytes because the framework would write objects as
 * {@code application/json} only.
 */
@Public
@Controller("/registry")
@Requires(property = "parley.role.channels", value = "true")
@Produces({RegistryController.MEDIA_TYPE, MediaType.APPLICATION_JSON})
@Tag(name = "Schemas", description = "The schemas of the records on Kafka, in the API of Confluent's schema registry.")
class RegistryController {
    static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";

    private static final int NO_SUBJECT = 40401;
    private static final int NO_VERSION = 40402;
    private static final int NO_SCHEMA = 40403;

    private final SchemaCatalog catalog = SchemaCatalog.bundled();
    private final Subjects subjects = new Subjects();
    private final JsonMapper json;

    RegistryController(JsonMapper json) {
        this.json = json;
    }

    /** A schema's text. */
    @Serdeable
    record SchemaText(String schema) {}

    /** The subject and version of a schema. */
    @Serdeable
    record SubjectVersion(String subject, int version) {}

    /** A version of a subject. */
    @Serdeable
    record SubjectSchema(String subject, int version, int id, String schema) {}

    /** An error as the registry's clients expect it. */
    @Serdeable
    record RegistryError(@JsonProperty("error_code") int errorCode, String message) {}

    @Get("/schemas/types")
    @Operation(summary = "List schema types", description = "The only type is AVRO.")
    @ApiResponse(responseCode = "200", description = "The types.")
    byte[] types() throws IOException {
        return json.writeValueAsBytes(List.of("AVRO"));
    }

    @Get("/schemas/ids/{id}")
    @Operation(summary = "Get a schema", description = "Returns the self-contained schema with this id.")
    @ApiResponse(responseCode = "200", description = "The schema.")
    byte[] schema(
            @Parameter(description = "Id of the schema, as found in the first bytes of a record.") @PathVariable int id)
            throws IOException {
        return json.writeValueAsBytes(new SchemaText(byId(id).schema().toString()));
    }

    @Get("/schemas/ids/{id}/versions")
    @Operation(
            summary = "List the subjects and versions of a schema",
            description = "Returns the subjects and versions of a schema.")
    @ApiResponse(responseCode = "200", description = "The subjects and versions.")
    byte[] versionsOf(@Parameter(description = "Id of the schema.") @PathVariable int id) throws IOException {
        BundledSchema schema = byId(id);
        return json.writeValueAsBytes(subjects.of(schema).stream()
                .map(subject -> new SubjectVersion(subject, schema.version()))
                .toList());
    }

    @Get("/subjects")
    @Operation(summary = "List subjects", description = "Returns one subject for each record type of each topic.")
    @ApiResponse(responseCode = "200", description = "The subjects.")
    byte[] subjects() throws IOException {
        return json.writeValueAsBytes(subjects.names());
    }

    @Get("/subjects/{subject}/versions")
    @Operation(summary = "List versions", description = "Returns the version numbers of a subject, oldest first.")
    @ApiResponse(responseCode = "200", description = "The versions.")
    byte[] versions(@Parameter(description = "Name of the subject.") @PathVariable String subject) throws IOException {
        return json.writeValueAsBytes(
                requireVersions(subject).stream().map(BundledSchema::version).toList());
    }

    @Get("/subjects/{subject}/versions/{version}")
    @Operation(summary = "Get a version", description = "Returns one version of a subject.")
    @ApiResponse(responseCode = "200", description = "The version.")
    byte[] version(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Parameter(description = "Number of the version, or latest.") @PathVariable String version)
            throws IOException {
        List<BundledSchema> versions = requireVersions(subject);
        BundledSchema found = version.equals("latest")
                ? versions.getLast()
                : versions.stream()
                        .filter(schema -> Integer.toString(schema.version()).equals(version))
                        .findFirst()
                        .orElseThrow(() -> new NotFound(NO_VERSION, "Version " + version + " not found."));
        return json.writeValueAsBytes(new SubjectSchema(
                subject, found.version(), found.id(), found.schema().toString()));
    }

    private BundledSchema byId(int id) {
        return catalog.byId(id).orElseThrow(() -> new NotFound(NO_SCHEMA, "Schema " + id + " not found"));
    }

    private List<BundledSchema> requireVersions(String subject) {
        List<BundledSchema> versions = subjects.versions(subject);
        if (versions.isEmpty()) {
            throw new NotFound(NO_SUBJECT, "Subject '" + subject + "' not found.");
        }
        return versions;
    }

    @Error
    HttpResponse<byte[]> notFound(NotFound error) throws IOException {
        return HttpResponse.<byte[]>status(HttpStatus.NOT_FOUND)
                .body(json.writeValueAsBytes(new RegistryError(error.code, String.valueOf(error.getMessage()))));
    }

    static final class NotFound extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int code;

        NotFound(int code, String message) {
            super(message, null, false, false);
            this.code = code;
        }
    }
}
