package dev.parley.server.canary;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.client.Connection;
import dev.parley.server.client.ApiClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The HTTP client of a canary. Every status is an answer; a broken connection is an {@link IOException}. */
final class CanaryClient extends ApiClient {
    private static final Set<Integer> RETRYABLE = Set.of(408, 421, 425, 429, 500, 502, 503, 504);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    CanaryClient(Connection connection) {
        super(connection);
    }

    /** A response. @param pause the Retry-After of the server, or null */
    record Answer(int status, JsonNode json, @Nullable Duration pause) {
        boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** Whether the same request may succeed when it is retried. */
        boolean isRetryable() {
            return RETRYABLE.contains(status);
        }

        /** Status and detail. */
        String detail() {
            return "%d %s".formatted(status, json.path("detail").asText(""));
        }
    }

    /** An event of a turn. @param id by which a stream resumes */
    record Event(String name, String id) {}

    Answer get(String path, Duration within) throws IOException, InterruptedException {
        return answer(request(path).timeout(within).GET());
    }

    Answer post(String path, String body, @Nullable String reference, Duration within)
            throws IOException, InterruptedException {
        var request = request(path).timeout(within).header("Content-Type", "application/json");
        if (reference != null) {
            request.header("Idempotency-Key", reference);
        }
        return answer(request.POST(BodyPublishers.ofString(body)));
    }

    /** An open stream of events, until it is closed by either side. */
    HttpResponse<InputStream> events(String path, @Nullable String after, Duration within)
            throws IOException, InterruptedException {
        var request = request(path).timeout(within).header("Accept", "text/event-stream");
        if (after != null) {
            request.header("Last-Event-ID", after);
        }
        return http().send(request.GET().build(), BodyHandlers.ofInputStream());
    }

    /** The next event, or null at the end of the stream. */
    static @Nullable Event next(BufferedReader lines) throws IOException {
        String name = "";
        String id = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.isEmpty() && !name.isEmpty()) {
                return new Event(name, id);
            }
        }
        return null;
    }

    static BufferedReader lines(InputStream body) {
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    private Answer answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http().send(request.build(), BodyHandlers.ofString());
        return new Answer(
                response.statusCode(),
                parse(response.body()),
                response.headers()
                        .firstValue("Retry-After")
                        .map(CanaryClient::seconds)
                        .orElse(null));
    }

    private static @Nullable Duration seconds(String header) {
        try {
            Duration said = Duration.ofSeconds(Long.parseLong(header.strip()));
            return said.compareTo(MAX_PAUSE) < 0 ? said : MAX_PAUSE;
        } catch (NumberFormatException e) {
            return null; // a date, which Parley never sends: as if it said nothing
        }
    }
}
