package dev.parley.server.canary;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ServerConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The HTTP client of a canary. It returns responses of every status; a broken connection is an {@link IOException}. */
final class CanaryClient extends ApiClient {
    private static final Set<Integer> RETRYABLE = Set.of(408, 421, 425, 429, 500, 502, 503, 504);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    CanaryClient(ServerConnection connection) {
        super(connection);
    }

    /**
     * A response.
     *
     * @param retryAfter as the server sets it, at most 5 s, or null
     */
    record Answer(int status, JsonNode json, @Nullable Duration retryAfter) {
        boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** Whether the request may succeed when it is retried. */
        boolean isRetryable() {
            return RETRYABLE.contains(status);
        }

        /** The query of the next page; null on the last page. */
        @Nullable
        String nextPage() {
            return ApiClient.nextPage(json);
        }

        /** Status and detail. */
        String detail() {
            return "%d %s".formatted(status, json.path("detail").asText(""));
        }
    }

    Answer get(String path, Duration timeout) throws IOException, InterruptedException {
        return answer(request(path).timeout(timeout).GET());
    }

    Answer post(String path, String body, @Nullable String idempotencyKey, Duration timeout)
            throws IOException, InterruptedException {
        var request = request(path).timeout(timeout).header("Content-Type", "application/json");
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        return answer(request.POST(BodyPublishers.ofString(body)));
    }

    /** An open stream of events, until it is closed by either side. */
    HttpResponse<InputStream> events(String path, @Nullable String after, Duration timeout)
            throws IOException, InterruptedException {
        var request = request(path).timeout(timeout).header("Accept", "text/event-stream");
        if (after != null) {
            request.header("Last-Event-ID", after);
        }
        return http().send(request.GET().build(), BodyHandlers.ofInputStream());
    }

    private Answer answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http().send(request.build(), BodyHandlers.ofString());
        return new Answer(
                response.statusCode(),
                parse(response.body()),
                retryAfter(response, MAX_PAUSE).orElse(null));
    }
}
