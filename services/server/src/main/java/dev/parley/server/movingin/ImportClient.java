package dev.parley.server.movingin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.server.chat.Connection;
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

/** The API, as somebody who moves in asks it. What is busy is asked again. */
final class ImportClient extends ApiClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_ATTEMPTS = 60;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final String url;

    ImportClient(Connection connection) {
        super(connection);
        url = connection.url();
    }

    /** An answer; its JSON is missing where there is none. */
    record Answer(int status, JsonNode json, byte[] bytes) {
        /** What asks for the page after this one; null where it is the last. */
        @Nullable
        String next() {
            JsonNode next = json.path("next");
            return next.isTextual() ? "&cursor=" + ApiClient.encoded(next.asText()) : null;
        }

        boolean isGood() {
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
     * Asks, and waits where the server says so.
     *
     * @param name a header's name, or null
     * @param value of that header
     * @throws MovingInException when nobody answers, or the key is none
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
                        "The key is wrong: say the right one with --key, or the folder of the server with --data.");
            }
            boolean isBusy = status == 429 || status == 503;
            if (!isBusy || attempt == MOST_ATTEMPTS) {
                return new Answer(status, json(response.body()), response.body());
            }
            Thread.sleep(pause(response));
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return http().send(request, BodyHandlers.ofByteArray());
        } catch (ConnectException e) {
            throw new MovingInException("Parley is not running at %s; start it with ./parley dev".formatted(url), e);
        }
    }

    private static Duration pause(HttpResponse<?> response) {
        Duration wanted = Duration.ofSeconds(
                response.headers().firstValueAsLong("Retry-After").orElse(1));
        return wanted.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : wanted;
    }

    private static BodyPublisher publisher(@Nullable Object body) {
        return switch (body) {
            case null -> BodyPublishers.noBody();
            case byte[] bytes -> BodyPublishers.ofByteArray(bytes);
            default -> BodyPublishers.ofString(body.toString());
        };
    }

    private static JsonNode json(byte[] body) {
        try {
            JsonNode json = JSON.readTree(new String(body, StandardCharsets.UTF_8));
            return json == null ? MissingNode.getInstance() : json;
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }
}
