package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.CommandException;
import dev.parley.server.client.ServerConnection;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The HTTP client of an import. Requests are retried while the server is busy (429, 503), at most 60 times. */
final class ImportClient extends ApiClient {
    private static final int MAX_ATTEMPTS = 60;
    private static final Duration DEFAULT_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    ImportClient(ServerConnection connection) {
        super(connection);
    }

    /**
     * A response.
     *
     * @param json missing where the body is not JSON
     */
    record Answer(int status, JsonNode json, byte[] bytes) {
        /** The query of the next page; null on the last page. */
        @Nullable
        String nextPage() {
            return ApiClient.nextPage(json);
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

        /** The reason of a refusal. */
        String detail() {
            return json.path("detail").asText("the server answered " + status);
        }
    }

    Answer fetch(String path) throws IOException, InterruptedException {
        return send("GET", path, null);
    }

    /**
     * The items of all pages of a list; empty where it cannot be read.
     *
     * @param path with the beginning of a query
     */
    List<JsonNode> list(String path) throws IOException, InterruptedException {
        var items = new ArrayList<JsonNode>();
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = fetch(path + cursor);
            page.json().path("data").forEach(items::add);
            cursor = page.nextPage();
        }
        return items;
    }

    Answer send(String method, String path, @Nullable Object body) throws IOException, InterruptedException {
        return send(method, path, body, null, null);
    }

    /**
     * Sends a request, again while the server is busy, after the time that it sets.
     *
     * @param body bytes or JSON
     * @param name of a header, or null
     * @param value of that header
     * @throws CommandException when the server cannot be reached or the key is wrong
     */
    Answer send(String method, String path, @Nullable Object body, @Nullable String name, @Nullable String value)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).method(method, publisher(body));
        if (body != null) {
            request.header("Content-Type", body instanceof byte[] ? "application/octet-stream" : "application/json");
        }
        if (name != null && value != null) {
            request.header(name, value);
        }
        for (int attempt = 1; ; attempt++) {
            HttpResponse<byte[]> response = exchange(request.build(), BodyHandlers.ofByteArray());
            int status = response.statusCode();
            if (status == 401) {
                throw new CommandException(
                        "The key is wrong: pass the right one with --key, or the server's data folder with --data.");
            }
            boolean isBusy = status == 429 || status == 503;
            if (!isBusy || attempt == MAX_ATTEMPTS) {
                return new Answer(status, parse(new String(response.body(), StandardCharsets.UTF_8)), response.body());
            }
            Thread.sleep(retryAfter(response, MAX_PAUSE).orElse(DEFAULT_PAUSE));
        }
    }

    private static BodyPublisher publisher(@Nullable Object body) {
        return switch (body) {
            case null -> BodyPublishers.noBody();
            case byte[] bytes -> BodyPublishers.ofByteArray(bytes);
            default -> BodyPublishers.ofString(body.toString());
        };
    }
}
