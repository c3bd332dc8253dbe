package dev.parley.server.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ApiProblem;
import dev.parley.server.client.CommandException;
import dev.parley.server.client.ServerConnection;
import dev.parley.server.client.ServerSentEvents;
import java.io.IOException;
import java.io.InputStream;
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

/** The HTTP client of the chat. A broken or refused connection is an {@link IOException}. */
final class ChatClient extends ApiClient {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    ChatClient(ServerConnection connection) {
        super(connection, TIMEOUT);
    }

    /**
     * An event of a turn.
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
    static String path(String session, String subPath) {
        return "/v1/sessions/" + encode(session) + subPath;
    }

    JsonNode post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    JsonNode submit(String session, Map<String, ?> body, String idempotencyKey)
            throws IOException, InterruptedException {
        return post(path(session, "/turns"), JSON.writeValueAsString(body), idempotencyKey);
    }

    /**
     * Passes the events of a turn to {@code handler} until it returns false or the stream ends.
     *
     * @param after the id of the last known event, or null
     */
    void events(String session, String turn, @Nullable String after, Predicate<Event> handler)
            throws IOException, InterruptedException {
        var request = request(path(session, "/events?turn=" + turn)).header("Accept", "text/event-stream");
        if (after != null) {
            request.header("Last-Event-ID", after);
        }
        HttpResponse<InputStream> response = http().send(request.build(), BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                throw toException(
                        ApiProblem.of(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8)));
            }
            var events = new ServerSentEvents(body);
            var event = events.next();
            while (event != null && handler.test(new Event(event.name(), event.id(), JSON.readTree(event.data())))) {
                event = events.next();
            }
        }
    }

    @Override
    protected JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return parse(requireSuccess(http().send(request.build(), BodyHandlers.ofString()))
                .body());
    }

    @Override
    protected CommandException toException(ApiProblem problem) {
        if (problem.status() == 401) {
            return new CommandException(
                    401,
                    "The key is wrong for %s. It is in the server's data folder, in admin.key: use --data, --key or PARLEY_ADMIN_KEY."
                            .formatted(url()));
        }
        return new CommandException(problem.status(), problem.detail("The server answered " + problem.status() + "."));
    }

    /** The exception for a server that cannot be reached. */
    CommandException unreachable(IOException cause) {
        boolean isUnreachable = cause instanceof ConnectException || cause instanceof HttpTimeoutException;
        return new CommandException(
                isUnreachable ? notRunning() : "The connection to %s broke: %s".formatted(url(), cause.getMessage()),
                cause);
    }
}
