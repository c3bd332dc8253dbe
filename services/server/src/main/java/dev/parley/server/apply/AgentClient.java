package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.server.chat.Connection;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The agents of a project or a host, through the API. What the server refuses is an {@link ApplyException} with its sentence. */
final class AgentClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final String DRY = "?dryRun=true";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Connection connection;
    private final String path;
    private final String source;

    /** @param project null for the host */
    AgentClient(Connection connection, @Nullable String project) {
        this.connection = connection;
        this.path = project == null ? "/v1/agents" : "/v1/projects/" + encoded(project) + "/agents";
        this.source = project == null ? "host" : "project";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * An agent that is there.
     *
     * @param etag of the version that was seen
     */
    record Present(JsonNode agent, String etag) {}

    /** What is defined in this place, by name. */
    Map<String, Present> present() throws IOException, InterruptedException {
        var present = new TreeMap<String, Present>();
        @Nullable String cursor = "";
        while (cursor != null) {
            JsonNode page = JSON.readTree(send("GET", "?includeHidden=true&limit=200" + cursor, null, null)
                    .body());
            for (JsonNode agent : page.path("data")) {
                String name = agent.path("name").asText();
                if (agent.path("source").asText().equals(source)) {
                    present.put(name, one(name));
                }
            }
            cursor = page.path("next").isTextual()
                    ? "&cursor=" + encoded(page.path("next").asText())
                    : null;
        }
        return present;
    }

    private Present one(String name) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("GET", "/" + encoded(name), null, null);
        return new Present(
                JSON.readTree(answer.body()),
                answer.headers().firstValue("ETag").orElse("*"));
    }

    /**
     * How an agent would be; nothing changes.
     *
     * @param before what is there, or null
     */
    JsonNode checked(JsonNode body, @Nullable Present before) throws IOException, InterruptedException {
        return JSON.readTree(write(body, before, DRY).body());
    }

    /** Defines or replaces an agent, where it is still as it was seen. */
    void apply(JsonNode body, @Nullable Present before) throws IOException, InterruptedException {
        write(body, before, "");
    }

    private HttpResponse<String> write(JsonNode body, @Nullable Present before, String query)
            throws IOException, InterruptedException {
        return before == null
                ? send("POST", query, body, null)
                : send("PUT", "/" + encoded(body.path("name").asText()) + query, body, before.etag());
    }

    void delete(String name, Present before) throws IOException, InterruptedException {
        send("DELETE", "/" + encoded(name), null, before.etag());
    }

    private HttpResponse<String> send(String method, String rest, @Nullable JsonNode body, @Nullable String etag)
            throws IOException, InterruptedException {
        BodyPublisher content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString());
        var request = HttpRequest.newBuilder(URI.create(connection.url() + path + rest))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + connection.key())
                .header("Content-Type", "application/json")
                .method(method, content);
        if (etag != null) {
            request.header("If-Match", etag);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw refused(response);
            }
            return response;
        } catch (ConnectException e) {
            throw new ApplyException(
                    "Parley is not running at %s; start it with ./parley dev".formatted(connection.url()));
        }
    }

    private static ApplyException refused(HttpResponse<String> response) {
        int status = response.statusCode();
        JsonNode problem;
        try {
            problem = JSON.readTree(response.body());
        } catch (IOException e) {
            problem = MissingNode.getInstance();
        }
        String why = status == 401 ? "The key is wrong" : "The server answered " + status;
        return new ApplyException(status, problem.path("detail").asText(why));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
