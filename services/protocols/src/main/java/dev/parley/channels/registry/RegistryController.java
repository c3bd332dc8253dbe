package dev.parley.channels.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import dev.parley.schemas.BundledSchema;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Read-only schema registry for standard consumers: the first five bytes of a record contain the id of its schema.
 * Subjects are {@code {topic}-{full record name}}. Every path and method has an answer of the registry: what it lists
 * and has not is empty, what changes it is refused as by a registry in read-only mode, and the rest is not found.
 *
 * <p>Where the operator has closed it, it needs a key, of anybody.
 *
 * <p>Responses are bytes because the framework would write objects as {@code application/json} only.
 */
@Public(setting = "parley.public-registry")
@Authenticated
@Controller("/registry")
@Requires(property = "parley.role.channels", value = "true")
@Produces({RegistryController.MEDIA_TYPE, MediaType.APPLICATION_JSON})
@Tag(name = "Schemas", description = "The schemas of the records on Kafka, in the API of Confluent's schema registry.")
class RegistryController {
    static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";

    /** As {@code ReleasedSchemasTest} holds each version against all before it. */
    private static final String COMPATIBILITY = "BACKWARD_TRANSITIVE";

    /** The first names of the paths under which a registry is changed. */
    private static final Set<String> WRITABLE =
            Set.of("subjects", "config", "mode", "compatibility", "associations", "contexts", "exporters");

    private final Subjects subjects = new Subjects();

    @Get
    @Operation(summary = "Find the registry", description = "Returns an empty object.")
    @ApiResponse(responseCode = "200", description = "An empty object.")
    byte[] root() {
        return ProtocolJson.bytes(ProtocolJson.object());
    }

    @Get("/schemas/types")
    @Operation(summary = "List schema types", description = "The only type is AVRO.")
    @ApiResponse(responseCode = "200", description = "The types.")
    byte[] types() {
        return texts(List.of("AVRO"));
    }

    @Get("/schemas")
    @Operation(summary = "List schemas", description = "Returns the versions of all subjects, in order of subject.")
    @ApiResponse(responseCode = "200", description = "The versions.")
    byte[] schemas(
            @Parameter(description = "Only subjects that begin with this.") @QueryValue(defaultValue = "")
                    String subjectPrefix,
            @Parameter(description = "Only the newest version of each subject.") @QueryValue(defaultValue = "false")
                    boolean latestOnly,
            @Parameter(description = "Number of versions to leave out.") @QueryValue(defaultValue = "0") int offset,
            @Parameter(description = "Maximum number of versions; all if negative.") @QueryValue(defaultValue = "-1")
                    int limit) {
        Stream<JsonNode> all = subjects.names(subjectPrefix).stream().flatMap(subject -> {
            List<BundledSchema> versions = subjects.requireVersions(subject);
            return (latestOnly ? List.of(versions.getLast()) : versions)
                    .stream().map(schema -> version(subject, schema));
        });
        Stream<JsonNode> rest = all.skip(Math.max(0, offset));
        return array(limit < 0 ? rest : rest.limit(limit));
    }

    @Get("/schemas/ids/{id}")
    @Operation(summary = "Get a schema", description = "Returns the self-contained schema with this id.")
    @ApiResponse(responseCode = "200", description = "The schema.")
    byte[] schema(
            @Parameter(description = "Id of the schema, as found in the first bytes of a record.") @PathVariable
                    String id) {
        return schemaOf(subjects.requireId(id));
    }

    @Get("/schemas/ids/{id}/schema")
    @Operation(summary = "Get a schema's text", description = "Returns the schema itself.")
    @ApiResponse(responseCode = "200", description = "The schema.")
    byte[] schemaText(@Parameter(description = "Id of the schema.") @PathVariable String id) {
        return subjects.text(subjects.requireId(id)).getBytes(StandardCharsets.UTF_8);
    }

    @Get("/schemas/ids/{id}/versions")
    @Operation(
            summary = "List the subjects and versions of a schema",
            description = "Returns the subjects and versions of a schema.")
    @ApiResponse(responseCode = "200", description = "The subjects and versions.")
    byte[] versionsOf(@Parameter(description = "Id of the schema.") @PathVariable String id) {
        BundledSchema schema = subjects.requireId(id);
        return array(subjects.of(schema).stream()
                .map(subject -> ProtocolJson.object().put("subject", subject).put("version", schema.version())));
    }

    @Get("/schemas/ids/{id}/subjects")
    @Operation(summary = "List the subjects of a schema", description = "Returns the subjects of a schema.")
    @ApiResponse(responseCode = "200", description = "The subjects.")
    byte[] subjectsOf(@Parameter(description = "Id of the schema.") @PathVariable String id) {
        return texts(subjects.of(subjects.requireId(id)));
    }

    @Get("/schemas/guids/{guid}")
    @Operation(summary = "Get a schema by GUID", description = "Returns the self-contained schema with this GUID.")
    @ApiResponse(responseCode = "200", description = "The schema.")
    byte[] schemaByGuid(@Parameter(description = "GUID of the schema.") @PathVariable String guid) {
        return schemaOf(subjects.byGuid(guid).orElseThrow(() -> RegistryException.noSchema(guid + " ")));
    }

    @Get("/schemas/guids/{guid}/ids")
    @Operation(summary = "List the ids of a GUID", description = "Returns the id of the schema in the only context.")
    @ApiResponse(responseCode = "200", description = "The contexts and ids; empty if there is no such schema.")
    byte[] idsOfGuid(@Parameter(description = "GUID of the schema.") @PathVariable String guid) {
        return array(subjects.byGuid(guid).stream()
                .map(schema -> ProtocolJson.object().put("context", ".").put("id", schema.id())));
    }

    @Get("/subjects")
    @Operation(
            summary = "List subjects",
            description = "Returns one subject for each record type of each topic: `{topic}-{full record name}`.")
    @ApiResponse(responseCode = "200", description = "The subjects.")
    byte[] subjects(
            @Parameter(description = "Only subjects that begin with this.") @QueryValue(defaultValue = "")
                    String subjectPrefix) {
        return texts(subjects.names(subjectPrefix));
    }

    @Get("/subjects/{subject}/versions")
    @Operation(summary = "List versions", description = "Returns the version numbers of a subject, oldest first.")
    @ApiResponse(responseCode = "200", description = "The versions.")
    byte[] versions(@Parameter(description = "Name of the subject.") @PathVariable String subject) {
        ArrayNode numbers = ProtocolJson.array();
        subjects.requireVersions(subject).forEach(schema -> numbers.add(schema.version()));
        return ProtocolJson.bytes(numbers);
    }

    @Get("/subjects/{subject}/metadata")
    @Operation(summary = "Get the newest version", description = "Returns the newest version: none has metadata.")
    @ApiResponse(responseCode = "200", description = "The version.")
    byte[] metadata(@Parameter(description = "Name of the subject.") @PathVariable String subject) {
        return version(subject, "latest");
    }

    @Get("/subjects/{subject}/versions/{version}")
    @Operation(summary = "Get a version", description = "Returns one version of a subject.")
    @ApiResponse(responseCode = "200", description = "The version.")
    byte[] version(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Parameter(description = "Number of the version, or latest.") @PathVariable String version) {
        return ProtocolJson.bytes(version(subject, subjects.requireVersion(subject, version)));
    }

    @Get("/subjects/{subject}/versions/{version}/schema")
    @Operation(summary = "Get a version's text", description = "Returns the schema of a version itself.")
    @ApiResponse(responseCode = "200", description = "The schema.")
    byte[] versionText(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Parameter(description = "Number of the version, or latest.") @PathVariable String version) {
        return subjects.text(subjects.requireVersion(subject, version)).getBytes(StandardCharsets.UTF_8);
    }

    @Get("/subjects/{subject}/versions/{version}/referencedby")
    @Operation(summary = "List references to a version", description = "Schemas are self-contained: there are none.")
    @ApiResponse(responseCode = "200", description = "An empty list.")
    byte[] referencedBy(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Parameter(description = "Number of the version, or latest.") @PathVariable String version) {
        subjects.requireVersion(subject, version);
        return texts(List.of());
    }

    @Post("/subjects/{subject}")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    @Operation(summary = "Look a schema up", description = "Returns the version of a subject that has this schema.")
    @ApiResponse(responseCode = "200", description = "The version.")
    byte[] lookUp(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Nullable @Body String body) {
        subjects.requireVersions(subject);
        BundledSchema found = subjects.find(subject, given(body)).orElseThrow(() -> RegistryException.noSchema(""));
        return ProtocolJson.bytes(version(subject, found));
    }

    /** As a registry in read-only mode, which answers for what it has. */
    @Post("/subjects/{subject}/versions")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    @Operation(
            summary = "Register a schema",
            description = "Returns the id of a schema that the subject has; others are refused, with the code 42205.")
    @ApiResponse(responseCode = "200", description = "The id.")
    byte[] register(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Nullable @Body String body) {
        BundledSchema found = subjects.find(subject, given(body)).orElseThrow(RegistryException::readOnly);
        return ProtocolJson.bytes(version(subject, found));
    }

    @Post("/compatibility/subjects/{subject}/versions")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    @Operation(
            summary = "Check a schema against a subject",
            description = "Returns whether a schema reads the records of all versions of a subject.")
    @ApiResponse(responseCode = "200", description = "The result, as is_compatible.")
    byte[] isCompatible(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Nullable @Body String body) {
        return compatibility(given(body), subjects.requireVersions(subject));
    }

    @Post("/compatibility/subjects/{subject}/versions/{version}")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    @Operation(
            summary = "Check a schema against a version",
            description = "Returns whether a schema reads the records of one version of a subject.")
    @ApiResponse(responseCode = "200", description = "The result, as is_compatible.")
    byte[] isCompatibleWith(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Parameter(description = "Number of the version, or latest.") @PathVariable String version,
            @Nullable @Body String body) {
        return compatibility(given(body), List.of(subjects.requireVersion(subject, version)));
    }

    @Get("/config")
    @Operation(summary = "Get the compatibility", description = "Each version reads the records of all before it.")
    @ApiResponse(responseCode = "200", description = "The level, as compatibilityLevel.")
    byte[] config() {
        return ProtocolJson.bytes(ProtocolJson.object().put("compatibilityLevel", COMPATIBILITY));
    }

    @Get("/config/{subject}")
    @Operation(summary = "Get the compatibility of a subject", description = "No subject has one of its own.")
    @ApiResponse(responseCode = "200", description = "The level, if that of all is asked for.")
    byte[] config(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Parameter(description = "Return that of all.") @QueryValue(defaultValue = "false")
                    boolean defaultToGlobal) {
        if (!defaultToGlobal) {
            throw RegistryException.noCompatibility(subject);
        }
        return config();
    }

    @Get("/mode")
    @Operation(summary = "Get the mode", description = "The registry is read-only.")
    @ApiResponse(responseCode = "200", description = "The mode.")
    byte[] mode() {
        return ProtocolJson.bytes(ProtocolJson.object().put("mode", "READONLY"));
    }

    @Get("/mode/{subject}")
    @Operation(summary = "Get the mode of a subject", description = "No subject has one of its own.")
    @ApiResponse(responseCode = "200", description = "The mode, if that of all is asked for.")
    byte[] mode(
            @Parameter(description = "Name of the subject.") @PathVariable String subject,
            @Parameter(description = "Return that of all.") @QueryValue(defaultValue = "false")
                    boolean defaultToGlobal) {
        if (!defaultToGlobal) {
            throw RegistryException.noMode(subject);
        }
        return mode();
    }

    @Get("/contexts")
    @Operation(summary = "List contexts", description = "The only context is the default one.")
    @ApiResponse(responseCode = "200", description = "The contexts.")
    byte[] contexts() {
        return texts(List.of("."));
    }

    @Get("/exporters")
    @Operation(summary = "List exporters", description = "There are none.")
    @ApiResponse(responseCode = "200", description = "An empty list.")
    byte[] exporters() {
        return texts(List.of());
    }

    /** There are none: the subject of a record is its topic and its name. */
    @Get(uris = {"/associations/subjects/{subject}", "/associations/resources/{+resource}"})
    @Hidden
    byte[] associations() {
        return texts(List.of());
    }

    @Get("/v1/metadata/id")
    @Operation(summary = "Get the id of the registry", description = "The cluster is named parley.")
    @ApiResponse(responseCode = "200", description = "The scope.")
    byte[] metadataId() {
        ObjectNode id = ProtocolJson.object();
        ObjectNode scope = id.putObject("scope");
        scope.putArray("path");
        scope.putObject("clusters").put("kafka-cluster", "parley").put("schema-registry-cluster", "parley");
        return ProtocolJson.bytes(id);
    }

    @Get("/v1/metadata/version")
    @Operation(summary = "Get the version", description = "The version of the registry's API that is answered.")
    @ApiResponse(responseCode = "200", description = "The version.")
    byte[] metadataVersion() {
        return ProtocolJson.bytes(ProtocolJson.object().put("version", "8.0.0").put("commitId", ""));
    }

    // Every other path: what changes the registry is refused, as it is read-only.

    @Get("/{+path}")
    @Hidden
    byte[] other(@PathVariable String path) {
        throw RegistryException.noResource();
    }

    @Post("/{+path}")
    @Consumes(MediaType.ALL)
    @Hidden
    byte[] post(@PathVariable String path) {
        throw refusal(path);
    }

    @Put("/{+path}")
    @Consumes(MediaType.ALL)
    @Hidden
    byte[] put(@PathVariable String path) {
        throw refusal(path);
    }

    @Patch("/{+path}")
    @Consumes(MediaType.ALL)
    @Hidden
    byte[] patch(@PathVariable String path) {
        throw refusal(path);
    }

    @Delete("/{+path}")
    @Consumes(MediaType.ALL)
    @Hidden
    byte[] delete(@PathVariable String path) {
        throw refusal(path);
    }

    private static RegistryException refusal(String path) {
        String first = path.replaceFirst("^/+", "").split("[/:?]", 2)[0];
        return WRITABLE.contains(first) ? RegistryException.readOnly() : RegistryException.noResource();
    }

    private static byte[] compatibility(Schema reader, Collection<BundledSchema> writers) {
        return ProtocolJson.bytes(ProtocolJson.object().put("is_compatible", Subjects.readsAll(reader, writers)));
    }

    private static Schema given(@Nullable String body) {
        if (body == null) {
            throw RegistryException.invalidSchema("the request has no body");
        }
        try {
            return new Schema.Parser()
                    .parse(ProtocolJson.read(body.getBytes(StandardCharsets.UTF_8))
                            .path("schema")
                            .asText());
        } catch (ProtocolException | AvroRuntimeException e) {
            throw RegistryException.invalidSchema(String.valueOf(e.getMessage()));
        }
    }

    private byte[] schemaOf(BundledSchema schema) {
        return ProtocolJson.bytes(
                ProtocolJson.object().put("guid", subjects.guid(schema)).put("schema", subjects.text(schema)));
    }

    private ObjectNode version(String subject, BundledSchema schema) {
        return ProtocolJson.object()
                .put("subject", Subjects.unqualified(subject))
                .put("version", schema.version())
                .put("id", schema.id())
                .put("guid", subjects.guid(schema))
                .put("schema", subjects.text(schema));
    }

    private static byte[] texts(List<String> texts) {
        ArrayNode array = ProtocolJson.array();
        texts.forEach(array::add);
        return ProtocolJson.bytes(array);
    }

    private static byte[] array(Stream<? extends JsonNode> elements) {
        ArrayNode array = ProtocolJson.array();
        elements.forEach(array::add);
        return ProtocolJson.bytes(array);
    }
}
