package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The HTTP client of the commands. An unsuccessful response throws a {@link CommandException} with its detail. */
public class ApiClient implements AutoCloseable {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Duration timeout;
    private volatile ServerConnection connection;

    public ApiClient(ServerConnection connection) {
        this(connection, TIMEOUT);
    }

    /** @param timeout of a request, unless it sets another */
    protected ApiClient(ServerConnection connection, Duration timeout) {
        this.connection = connection;
        this.timeout = timeout;
    }

    public final String url() {
        return connection.url();
    }

    /** Reads the address again: a restarted server of this data folder may have another one. */
    public final void refresh() {
        connection = connection.withCurrentAddress();
    }

    /** A text, percent-encoded for a path or query. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** An idempotency key that is equal for equal bodies. */
    public static String idempotencyKey(String body) {
        return UUID.nameUUIDFromBytes(body.getBytes(StandardCharsets.UTF_8)).toString();
    }

    protected final HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(connection.url() + path))
                .timeout(timeout)
                .header("Authorization", "Bearer " + connection.key());
    }

    /** The HTTP client, for responses other than JSON, and for callers that handle a refused connection. */
    protected final HttpClient http() {
        return http;
    }

    public final JsonNode get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    public final JsonNode post(String path) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /**
     * Posts a text.
     *
     * @param type its media type
     */
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
        return parse(requireSuccess(exchange(request.build(), BodyHandlers.ofString()))
                .body());
    }

    /**
     * The response to a request, whatever its status.
     *
     * @throws CommandException when the connection is refused
     */
    protected final <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        try {
            return http.send(request, body);
        } catch (ConnectException e) {
            throw new CommandException(notRunning(), e);
        }
    }

    /**
     * The response itself.
     *
     * @throws CommandException unless it is successful
     */
    protected final HttpResponse<String> requireSuccess(HttpResponse<String> response) {
        if (response.statusCode() >= 300) {
            throw toException(ApiProblem.of(response.statusCode(), response.body()));
        }
        return response;
    }

    /** The message for a refused connection. */
    protected final String notRunning() {
        return "Parley is not running at %s; start it with ./parley dev".formatted(url());
    }

    /** The exception for an unsuccessful response. */
    protected CommandException toException(ApiProblem problem) {
        var message = new StringBuilder(problem.detail());
        problem.errors().forEach(error -> message.append("%n  %s, %s".formatted(error.pointer(), error)));
        return new CommandException(problem.status(), message.toString());
    }

    /** The query of the page after this one; null on the last page. */
    protected static @Nullable String nextPage(JsonNode page) {
        JsonNode cursor = page.path("next");
        return cursor.isTextual() ? "&cursor=" + encode(cursor.asText()) : null;
    }

    /** The {@code Retry-After} of a response in seconds, at most {@code max}; empty where there is none or a date. */
    protected static Optional<Duration> retryAfter(HttpResponse<?> response, Duration max) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(seconds -> seconds.strip().matches("\\d{1,9}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds.strip())))
                .map(delay -> delay.compareTo(max) < 0 ? delay : max);
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
