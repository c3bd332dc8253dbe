package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.server.client.Connection;
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

/** The HTTP client of the commands. A request that the server refuses throws an {@link IllegalStateException} with its detail. */
public class ApiClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Duration timeout;
    private volatile Connection connection;

    public ApiClient(Connection connection) {
        this(connection, TIMEOUT);
    }

    /** @param timeout of a request, unless it sets another */
    protected ApiClient(Connection connection, Duration timeout) {
        this.connection = connection;
        this.timeout = timeout;
    }

    public final String url() {
        return connection.url();
    }

    /** Reads the address again: a restarted server of this data folder may have another one. */
    public final void refresh() {
        connection = connection.refreshed();
    }

    /** A text, percent-encoded for a path or query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    protected final HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(connection.url() + path))
                .timeout(timeout)
                .header("Authorization", "Bearer " + connection.key());
    }

    /** The HTTP client, for bodies other than JSON. */
    protected final HttpClient http() {
        return http;
    }

    public final JsonNode get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    public final JsonNode post(String path) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /** Posts a text. @param type its media type */
    public final JsonNode postText(String path, String type, String text) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(text)));
    }

    /** @param idempotencyKey by which the server recognises a duplicate */
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

    protected JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IllegalStateException(notRunning(), e);
        }
        if (response.statusCode() >= 300) {
            throw refused(response.statusCode(), response.body());
        }
        return parse(response.body());
    }

    /** The message for a refused connection. */
    protected final String notRunning() {
        return "Parley is not running at %s; start it with ./parley dev".formatted(url());
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

    /** The JSON of a body; missing where it is empty or not valid. */
    protected static JsonNode parse(String body) {
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
