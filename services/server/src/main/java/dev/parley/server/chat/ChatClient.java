package dev.parley.server.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.server.client.ApiClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The HTTP client of the chat. A request that the server refuses throws a {@link ChatException}. */
final class ChatClient extends ApiClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    ChatClient(Connection connection) {
        super(connection, TIMEOUT);
    }

    /**
     * Something that happens in a turn.
     *
     * @param id by which a stream resumes, or empty
     */
    record Event(String name, String id, JsonNode data) {
        /** A field as text, or empty. */
        String text(String field) {
            return data.path(field).asText("");
        }
    }

    /** A path below a session. */
    static String path(String session, String rest) {
        return "/v1/sessions/" + encoded(session) + rest;
    }

    JsonNode post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    /** Submits a turn. @param reference its idempotency key */
    JsonNode say(String session, Map<String, ?> body, String reference) throws IOException, InterruptedException {
        return post(path(session, "/turns"), JSON.writeValueAsString(body), reference);
    }

    /**
     * Hands the events of a turn to {@code more} until it has enough or the stream ends.
     *
     * @param after the id of the last event that is known, or null
     */
    void events(String session, String turn, @Nullable String after, Predicate<Event> more)
            throws IOException, InterruptedException {
        var request = request(path(session, "/events?turn=" + turn)).header("Accept", "text/event-stream");
        if (after != null) {
            request.header("Last-Event-ID", after);
        }
        HttpResponse<InputStream> response = http().send(request.build(), BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                throw failed(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
            read(new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8)), more);
        }
    }

    private static void read(BufferedReader lines, Predicate<Event> more) throws IOException {
        String name = "";
        String id = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("data: ") && !more.test(new Event(name, id, JSON.readTree(line.substring(6))))) {
                return;
            }
        }
    }

    @Override
    protected JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http().send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw failed(response.statusCode(), response.body());
        }
        return parse(response.body());
    }

    private ChatException failed(int status, String body) {
        if (status == 401) {
            return new ChatException(
                    401,
                    "The key is wrong for %s. It is in the server's data folder, in admin.key: use --data, --key or PARLEY_ADMIN_KEY."
                            .formatted(url()));
        }
        return new ChatException(status, parse(body).path("detail").asText("The server answered " + status + "."));
    }

    /** The exception for a server that cannot be reached. */
    ChatException unreachable(IOException cause) {
        boolean down = cause instanceof ConnectException || cause instanceof HttpTimeoutException;
        return new ChatException(
                down ? notRunning() : "The connection to %s broke: %s".formatted(url(), cause.getMessage()));
    }
}
