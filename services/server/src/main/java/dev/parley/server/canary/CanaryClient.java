package dev.parley.server.canary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.server.chat.Connection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The API, as a canary asks it: every status is an answer, and what breaks is an {@link IOException}. */
final class CanaryClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<Integer> AGAIN = Set.of(408, 421, 425, 429, 500, 502, 503, 504);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private volatile Connection connection;

    CanaryClient(Connection connection) {
        this.connection = connection;
    }

    /** An answer. @param pause how long the server wants to be left alone, or null where it does not say */
    record Answer(int status, JsonNode json, @Nullable Duration pause) {
        boolean isGood() {
            return status >= 200 && status < 300;
        }

        /** Whether the same request may be answered differently in a moment. */
        boolean isForAMoment() {
            return AGAIN.contains(status);
        }

        /** The answer in a sentence. */
        String detail() {
            return "%d %s".formatted(status, json.path("detail").asText(""));
        }
    }

    /** An event of a turn. @param id by which a stream resumes */
    record Event(String name, String id) {}

    Answer get(String path, Duration within) throws IOException, InterruptedException {
        return send(request(path, within).GET());
    }

    Answer post(String path, String body, @Nullable String reference, Duration within)
            throws IOException, InterruptedException {
        var request = request(path, within).header("Content-Type", "application/json");
        if (reference != null) {
            request.header("Idempotency-Key", reference);
        }
        return send(request.POST(BodyPublishers.ofString(body)));
    }

    /** An open stream of events, until it is closed by either side. */
    HttpResponse<InputStream> events(String path, @Nullable String after, Duration within)
            throws IOException, InterruptedException {
        var request = request(path, within).header("Accept", "text/event-stream");
        if (after != null) {
            request.header("Last-Event-ID", after);
        }
        return http.send(request.GET().build(), BodyHandlers.ofInputStream());
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

    /** The server of a data folder may have come back under another address. */
    void refresh() {
        connection = connection.refreshed();
    }

    String url() {
        return connection.url();
    }

    private HttpRequest.Builder request(String path, Duration within) {
        return HttpRequest.newBuilder(URI.create(connection.url() + path))
                .timeout(within)
                .header("Authorization", "Bearer " + connection.key());
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
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
            return said.compareTo(LONGEST_PAUSE) < 0 ? said : LONGEST_PAUSE;
        } catch (NumberFormatException e) {
            return null; // a date, which Parley never sends: as if it said nothing
        }
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
