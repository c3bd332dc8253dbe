package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.server.chat.Connection;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The API, as commands ask it. What the server refuses is an {@link IllegalStateException} with its sentence. */
public class ApiClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofMinutes(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Connection connection;

    public ApiClient(Connection connection) {
        this.connection = connection;
    }

    /** A text as a part of a path or query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    protected final HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(connection.url() + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + connection.key());
    }

    /** The client itself, for bodies that are no JSON. */
    protected final HttpClient http() {
        return http;
    }

    public final JsonNode get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    public final JsonNode post(String path) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /** Posts a body that is no JSON. @param type its media type */
    public final JsonNode postText(String path, String type, String text) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(text)));
    }

    /** @param idempotencyKey by which a second one is known */
    public final JsonNode post(String path, String json, String idempotencyKey)
            throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .POST(BodyPublishers.ofString(json)));
    }

    public final void delete(String path) throws IOException, InterruptedException {
        send(request(path).DELETE());
    }

    protected final JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IllegalStateException(
                    "Parley is not running at %s; start it with ./parley dev".formatted(connection.url()), e);
        }
        if (response.statusCode() >= 300) {
            throw refused(response.statusCode(), response.body());
        }
        return parse(response.body());
    }

    protected static IllegalStateException refused(int status, String body) {
        String why = status == 401 ? "The key is wrong" : "The server answered " + status;
        JsonNode problem = parse(body);
        var sentence = new StringBuilder(problem.path("detail").asText(why));
        problem.path("errors")
                .forEach(error -> sentence.append("%n  %s, line %d, column %d: %s"
                        .formatted(
                                error.path("pointer").asText(),
                                error.path("line").asInt(),
                                error.path("column").asInt(),
                                error.path("detail").asText())));
        return new IllegalStateException(sentence.toString());
    }

    private static JsonNode parse(String body) {
        try {
            JsonNode json = JSON.readTree(body);
            return json == null ? MissingNode.getInstance() : json;
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
