package dev.parley.server.imports;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.client.Connection;
import dev.parley.server.client.ApiClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The HTTP client of an import. Requests are retried while the server is busy (429, 503), at most 60 times. */
final class ImportClient extends ApiClient {
    private static final int MAX_ATTEMPTS = 60;
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    ImportClient(Connection connection) {
        super(connection);
    }

    /** A response; its JSON is missing where the body is not JSON. */
    record Answer(int status, JsonNode json, byte[] bytes) {
        /** The query of the next page; null on the last one. */
        @Nullable
        String next() {
            JsonNode next = json.path("next");
            return next.isTextual() ? "&cursor=" + ApiClient.encoded(next.asText()) : null;
        }

        boolean isSuccess() {
            return status < 300;
        }

        boolean isMissing() {
            return status == 404;
        }

        String code() {
            return json.path("code").asText();
        }

        /** Why it was refused. */
        String detail() {
            return json.path("detail").asText("the server answered " + status);
        }
    }

    Answer ask(String path) throws IOException, InterruptedException {
        return ask("GET", path, null, null, null);
    }

    /**
     * Sends a request, and waits as long as the server asks for.
     *
     * @param name a header's name, or null
     * @param value of that header
     * @throws MovingInException when the server cannot be reached or the key is wrong
     */
    Answer ask(String method, String path, @Nullable Object body, @Nullable String name, @Nullable String value)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).method(method, publisher(body));
        if (body != null) {
            request.header("Content-Type", body instanceof byte[] ? "application/octet-stream" : "application/json");
        }
        if (name != null && value != null) {
            request.header(name, value);
        }
        for (int attempt = 1; ; attempt++) {
            HttpResponse<byte[]> response = send(request.build());
            int status = response.statusCode();
            if (status == 401) {
                throw new MovingInException(
                        "The key is wrong: pass the right one with --key, or the server's data folder with --data.");
            }
            boolean isBusy = status == 429 || status == 503;
            if (!isBusy || attempt == MAX_ATTEMPTS) {
                return new Answer(status, parse(new String(response.body(), StandardCharsets.UTF_8)), response.body());
            }
            Thread.sleep(pause(response));
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return http().send(request, BodyHandlers.ofByteArray());
        } catch (ConnectException e) {
            throw new MovingInException(notRunning(), e);
        }
    }

    private static Duration pause(HttpResponse<?> response) {
        Duration wanted = Duration.ofSeconds(
                response.headers().firstValueAsLong("Retry-After").orElse(1));
        return wanted.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : wanted;
    }

    private static BodyPublisher publisher(@Nullable Object body) {
        return switch (body) {
            case null -> BodyPublishers.noBody();
            case byte[] bytes -> BodyPublishers.ofByteArray(bytes);
            default -> BodyPublishers.ofString(body.toString());
        };
    }
}
