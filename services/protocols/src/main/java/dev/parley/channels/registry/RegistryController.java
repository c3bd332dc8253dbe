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

    /**
     * Find the registry. Returns an empty object.
     *
     * @return An empty object.
     */
    @Get
    byte[] root() {
        return ProtocolJson.bytes(ProtocolJson.object());
    }

    /**
     * List schema types. The only type is AVRO.
     *
     * @return The types.
     */
    @Get("/schemas/types")
    byte[] types() {
        return texts(List.of("AVRO"));
    }

    /**
     * List schemas. Returns the versions of all subjects, in order of subject.
     *
     * @param subjectPrefix Only subjects that begin with this.
     * @param latestOnly Only the newest version of each subject.
     * @param offset Number of versions to leave out.
     * @param limit Maximum number of versions; all if negative.
     * @return The versions.
     */
    @Get("/schemas")
    byte[] schemas(
            @QueryValue(defaultValue = "") String subjectPrefix,
            @QueryValue(defaultValue = "false") boolean latestOnly,
            @QueryValue(defaultValue = "0") int offset,
            @QueryValue(defaultValue = "-1") int limit) {
        Stream<JsonNode> all = subjects.names(subjectPrefix).stream().flatMap(subject -> {
            List<BundledSchema> versions = subjects.requireVersions(subject);
            return (latestOnly ? List.of(versions.getLast()) : versions)
                    .stream().map(schema -> version(subject, schema));
        });
        Stream<JsonNode> rest = all.skip(Math.max(0, offset));
        return array(limit < 0 ? rest : rest.limit(limit));
    }

    /**
     * Get a schema. Returns the self-contained schema with this id.
     *
     * @param id Id of the schema, as found in the first bytes of a record.
     * @return The schema.
     */
    @Get("/schemas/ids/{id}")
    byte[] schema(@PathVariable String id) {
        return schemaOf(subjects.requireId(id));
    }

    /**
     * Get a schema's text. Returns the schema itself.
     *
     * @param id Id of the schema.
     * @return The schema.
     */
    @Get("/schemas/ids/{id}/schema")
    byte[] schemaText(@PathVariable String id) {
        return subjects.text(subjects.requireId(id)).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * List the subjects and versions of a schema. Returns the subjects and versions of a schema.
     *
     * @param id Id of the schema.
     * @return The subjects and versions.
     */
    @Get("/schemas/ids/{id}/versions")
    byte[] versionsOf(@PathVariable String id) {
        BundledSchema schema = subjects.requireId(id);
        return array(subjects.of(schema).stream()
                .map(subject -> ProtocolJson.object().put("subject", subject).put("version", schema.version())));
    }

    /**
     * List the subjects of a schema. Returns the subjects of a schema.
     *
     * @param id Id of the schema.
     * @return The subjects.
     */
    @Get("/schemas/ids/{id}/subjects")
    byte[] subjectsOf(@PathVariable String id) {
        return texts(subjects.of(subjects.requireId(id)));
    }

    /**
     * Get a schema by GUID. Returns the self-contained schema with this GUID.
     *
     * @param guid GUID of the schema.
     * @return The schema.
     */
    @Get("/schemas/guids/{guid}")
    byte[] schemaByGuid(@PathVariable String guid) {
        return schemaOf(subjects.byGuid(guid).orElseThrow(() -> RegistryException.noSchema(guid + " ")));
    }

    /**
     * List the ids of a GUID. Returns the id of the schema in the only context.
     *
     * @param guid GUID of the schema.
     * @return The contexts and ids; empty if there is no such schema.
     */
    @Get("/schemas/guids/{guid}/ids")
    byte[] idsOfGuid(@PathVariable String guid) {
        return array(subjects.byGuid(guid).stream()
                .map(schema -> ProtocolJson.object().put("context", ".").put("id", schema.id())));
    }

    /**
     * List subjects. Returns one subject for each record type of each topic: `{topic}-{full record name}`.
     *
     * @param subjectPrefix Only subjects that begin with this.
     * @return The subjects.
     */
    @Get("/subjects")
    byte[] subjects(@QueryValue(defaultValue = "") String subjectPrefix) {
        return texts(subjects.names(subjectPrefix));
    }

    /**
     * List versions. Returns the version numbers of a subject, oldest first.
     *
     * @param subject Name of the subject.
     * @return The versions.
     */
    @Get("/subjects/{subject}/versions")
    byte[] versions(@PathVariable String subject) {
        ArrayNode numbers = ProtocolJson.array();
        subjects.requireVersions(subject).forEach(schema -> numbers.add(schema.version()));
        return ProtocolJson.bytes(numbers);
    }

    /**
     * Get the newest version. Returns the newest version: none has metadata.
     *
     * @param subject Name of the subject.
     * @return The version.
     */
    @Get("/subjects/{subject}/metadata")
    byte[] metadata(@PathVariable String subject) {
        return version(subject, "latest");
    }

    /**
     * Get a version. Returns one version of a subject.
     *
     * @param subject Name of the subject.
     * @param version Number of the version, or latest.
     * @return The version.
     */
    @Get("/subjects/{subject}/versions/{version}")
    byte[] version(@PathVariable String subject, @PathVariable String version) {
        return ProtocolJson.bytes(version(subject, subjects.requireVersion(subject, version)));
    }

    /**
     * Get a version's text. Returns the schema of a version itself.
     *
     * @param subject Name of the subject.
     * @param version Number of the version, or latest.
     * @return The schema.
     */
    @Get("/subjects/{subject}/versions/{version}/schema")
    byte[] versionText(@PathVariable String subject, @PathVariable String version) {
        return subjects.text(subjects.requireVersion(subject, version)).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * List references to a version. Schemas are self-contained: there are none.
     *
     * @param subject Name of the subject.
     * @param version Number of the version, or latest.
     * @return An empty list.
     */
    @Get("/subjects/{subject}/versions/{version}/referencedby")
    byte[] referencedBy(@PathVariable String subject, @PathVariable String version) {
        subjects.requireVersion(subject, version);
        return texts(List.of());
    }

    /**
     * Look a schema up. Returns the version of a subject that has this schema.
     *
     * @param subject Name of the subject.
     * @return The version.
     */
    @Post("/subjects/{subject}")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    byte[] lookUp(@PathVariable String subject, @Nullable @Body String body) {
        subjects.requireVersions(subject);
        BundledSchema found = subjects.find(subject, given(body)).orElseThrow(() -> RegistryException.noSchema(""));
        return ProtocolJson.bytes(version(subject, found));
    }

    /**
     * Register a schema. Returns the id of a schema that the subject has; others are refused, with the code 42205.
     *
     * @param subject Name of the subject.
     * @return The id.
     */
    @Post("/subjects/{subject}/versions")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    byte[] register(@PathVariable String subject, @Nullable @Body String body) {
        BundledSchema found = subjects.find(subject, given(body)).orElseThrow(RegistryException::readOnly);
        return ProtocolJson.bytes(version(subject, found));
    }

    /**
     * Check a schema against a subject. Returns whether a schema reads the records of all versions of a subject.
     *
     * @param subject Name of the subject.
     * @return The result, as is_compatible.
     */
    @Post("/compatibility/subjects/{subject}/versions")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    byte[] isCompatible(@PathVariable String subject, @Nullable @Body String body) {
        return compatibility(given(body), subjects.requireVersions(subject));
    }

    /**
     * Check a schema against a version. Returns whether a schema reads the records of one version of a subject.
     *
     * @param subject Name of the subject.
     * @param version Number of the version, or latest.
     * @return The result, as is_compatible.
     */
    @Post("/compatibility/subjects/{subject}/versions/{version}")
    @MaxBody(BodySize.USUAL)
    @Consumes(MediaType.ALL)
    byte[] isCompatibleWith(@PathVariable String subject, @PathVariable String version, @Nullable @Body String body) {
        return compatibility(given(body), List.of(subjects.requireVersion(subject, version)));
    }

    /**
     * Get the compatibility. Each version reads the records of all before it.
     *
     * @return The level, as compatibilityLevel.
     */
    @Get("/config")
    byte[] config() {
        return ProtocolJson.bytes(ProtocolJson.object().put("compatibilityLevel", COMPATIBILITY));
    }

    /**
     * Get the compatibility of a subject. No subject has one of its own.
     *
     * @param subject Name of the subject.
     * @param defaultToGlobal Return that of all.
     * @return The level, if that of all is asked for.
     */
    @Get("/config/{subject}")
    byte[] config(@PathVariable String subject, @QueryValue(defaultValue = "false") boolean defaultToGlobal) {
        if (!defaultToGlobal) {
            throw RegistryException.noCompatibility(subject);
        }
        return config();
    }

    /**
     * Get the mode. The registry is read-only.
     *
     * @return The mode.
     */
    @Get("/mode")
    byte[] mode() {
        return ProtocolJson.bytes(ProtocolJson.object().put("mode", "READONLY"));
    }

    /**
     * Get the mode of a subject. No subject has one of its own.
     *
     * @param subject Name of the subject.
     * @param defaultToGlobal Return that of all.
     * @return The mode, if that of all is asked for.
     */
    @Get("/mode/{subject}")
    byte[] mode(@PathVariable String subject, @QueryValue(defaultValue = "false") boolean defaultToGlobal) {
        if (!defaultToGlobal) {
            throw RegistryException.noMode(subject);
        }
        return mode();
    }

    /**
     * List contexts. The only context is the default one.
     *
     * @return The contexts.
     */
    @Get("/contexts")
    byte[] contexts() {
        return texts(List.of("."));
    }

    /**
     * List exporters. There are none.
     *
     * @return An empty list.
     */
    @Get("/exporters")
    byte[] exporters() {
        return texts(List.of());
    }

    /** There are none: the subject of a record is its topic and its name. */
    @Get(uris = {"/associations/subjects/{subject}", "/associations/resources/{+resource}"})
    @Hidden
    byte[] associations() {
        return texts(List.of());
    }

    /**
     * Get the id of the registry. The cluster is named parley.
     *
     * @return The scope.
     */
    @Get("/v1/metadata/id")
    byte[] metadataId() {
        ObjectNode id = ProtocolJson.object();
        ObjectNode scope = id.putObject("scope");
        scope.putArray("path");
        scope.putObject("clusters").put("kafka-cluster", "parley").put("schema-registry-cluster", "parley");
        return ProtocolJson.bytes(id);
    }

    /**
     * Get the version. The version of the registry's API that is answered.
     *
     * @return The version.
     */
    @Get("/v1/metadata/version")
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
