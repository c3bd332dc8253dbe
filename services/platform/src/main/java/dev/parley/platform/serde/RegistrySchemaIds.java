package dev.parley.platform.serde;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.json.JsonMappers;
import dev.parley.schemas.BundledSchema;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a Confluent-compatible schema registry. At start all schemas are registered under the subject {@code
 * {topic}-{full record name}} (TopicRecordNameStrategy), since a topic has several types that evolve independently. Ids
 * of other writers are looked up on first use and cached. Thread-safe.
 */
public final class RegistrySchemaIds implements SchemaIds {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_KNOWN = 1_000;
    private static final long FRESH_MISS = Duration.ofSeconds(1).toNanos();
    private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
    private static final ObjectMapper JSON = JsonMappers.stored();

    private final String registry;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<Integer, Schema> known = Collections.synchronizedMap(new BoundedMap<>(MAX_KNOWN));

    /** Times of the last answers that an id is unknown, in nanoseconds. */
    private final Map<Integer, Long> missing = Collections.synchronizedMap(new BoundedMap<>(MAX_KNOWN));

    private final LongSupplier nanos;

    private RegistrySchemaIds(String registry, LongSupplier nanos) {
        this.registry = registry;
        this.nanos = nanos;
    }

    /**
     * Registers the schemas of all topics.
     *
     * @param registry base URL of the API of the registry
     * @param topics types of the values by topic name
     * @throws IllegalStateException if the registry cannot be reached or rejects a schema
     */
    public static RegistrySchemaIds register(String registry, Map<String, Class<?>> topics) {
        return register(registry, topics, System::nanoTime);
    }

    static RegistrySchemaIds register(String registry, Map<String, Class<?>> topics, LongSupplier nanos) {
        var ids = new RegistrySchemaIds(valid(registry), nanos);
        topics.forEach((topic, type) ->
                RecordSerde.published(type).forEach(schema -> ids.register(subject(topic, schema.name()), schema)));
        return ids;
    }

    /** The subject of the schema of a record type. */
    public static String subject(String topic, String fullName) {
        return topic + "-" + fullName;
    }

    private static String valid(String registry) {
        if (!registry.matches("https?://[^/\\s]+[^\\s]*")) {
            throw new IllegalStateException("the schema registry must be an http or https URL, not '" + registry + "'");
        }
        return registry.replaceAll("/+$", "");
    }

    private void register(String subject, BundledSchema schema) {
        String json = schema.schema().toString();
        String path = "/subjects/" + URLEncoder.encode(subject, StandardCharsets.UTF_8) + "/versions";
        var body = JSON.createObjectNode()
                .put("schema", json)
                .put("schemaType", "AVRO")
                .toString();
        HttpResponse<String> response = send(
                request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(
                    "the schema registry " + registry + " refuses " + subject + ": " + refusal(response));
        }
        int id = parse(response).path("id").asInt(-1);
        if (id < 0) {
            throw new IllegalStateException("the schema registry " + registry + " gave no id to " + subject);
        }
        ids.putIfAbsent(schema.name(), id);
        known.put(id, schema.schema());
    }

    private static String refusal(HttpResponse<String> response) {
        return switch (response.statusCode()) {
            case 401, 403 -> "it does not let this process in (HTTP " + response.statusCode() + ")";
            case 404, 405 -> "there is no registry to write to at this URL (HTTP " + response.statusCode() + ")";
            case 409 -> "it holds an incompatible version (HTTP 409): " + response.body();
            default -> "HTTP " + response.statusCode() + ": " + response.body();
        };
    }

    @Override
    public int idOf(BundledSchema schema) {
        Integer id = ids.get(schema.name());
        if (id == null) {
            throw new IllegalStateException(schema.name() + " was not registered: no topic holds it");
        }
        return id;
    }

    @Override
    public Optional<Schema> schemaOf(int id) {
        Schema schema = known.get(id);
        if (schema == null && !isMissing(id)) {
            schema = lookUp(id);
            if (schema == null) {
                missing.remove(id); // the map evicts the entry that was put first
                missing.put(id, nanos.getAsLong());
            } else {
                known.put(id, schema);
            }
        }
        return Optional.ofNullable(schema);
    }

    private boolean isMissing(int id) {
        Long at = missing.get(id);
        return at != null && nanos.getAsLong() - at < FRESH_MISS;
    }

    private @Nullable Schema lookUp(int id) {
        try {
            HttpResponse<String> response =
                    send(request("/schemas/ids/" + id).GET().build());
            return switch (response.statusCode()) {
                case 200 -> parseSchema(id, parse(response).path("schema").asText());
                case 400, 404, 422 -> null;
                default -> throw new IllegalStateException("the schema registry answers HTTP " + response.statusCode());
            };
        } catch (IllegalStateException e) {
            throw new SchemaLookupException("the schema " + id + " cannot be looked up: " + e.getMessage(), e);
        }
    }

    private static Schema parseSchema(int id, String json) {
        try {
            return new Schema.Parser().parse(json);
        } catch (AvroRuntimeException e) {
            throw new SerializationException("the registry's schema " + id + " is not a self-contained Avro schema", e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(registry + path))
                .timeout(TIMEOUT)
                .header("Accept", MEDIA_TYPE)
                .header("Content-Type", MEDIA_TYPE);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IllegalStateException("the schema registry " + registry + " does not answer: " + reason, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the schema registry", e);
        }
    }

    private JsonNode parse(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the schema registry " + registry + " answers with invalid JSON", e);
        }
    }
}
