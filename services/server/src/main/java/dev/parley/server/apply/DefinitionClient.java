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
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a project or a host defines, through the API. What the server refuses is an {@link ApplyException} with its sentence. */
final class DefinitionClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final String DRY = "?dryRun=true";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Connection connection;
    private final String path;
    private final String source;

    /** @param project null for the host */
    DefinitionClient(Connection connection, @Nullable String project) {
        this.connection = connection;
        this.path = project == null ? "/v1/" : "/v1/projects/" + encoded(project) + "/";
        this.source = project == null ? "host" : "project";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * What is there.
     *
     * @param etag of the version that was seen
     */
    record Present(JsonNode body, String etag) {}

    /**
     * What is defined in this place of a kind, by label: what files define in the version that they do, all else in its newest.
     */
    Map<String, Present> present(Kind kind, Map<String, DefinitionFile> files)
            throws IOException, InterruptedException {
        var present = new TreeMap<String, Present>();
        @Nullable String cursor = "";
        while (cursor != null) {
            JsonNode page = JSON.readTree(send(
                            "GET",
                            kind.folder() + (kind == Kind.AGENT ? "?includeHidden=true&" : "?") + "limit=200" + cursor,
                            null,
                            null)
                    .body());
            for (JsonNode one : page.path("data")) {
                String name = one.path("name").asText();
                if (one.path("source").asText().equals(source)) {
                    DefinitionFile file = files.get(kind.label(name));
                    one(kind, name, file == null ? one.path("version").asText() : file.version())
                            .ifPresent(there -> present.put(kind.label(name), there));
                }
            }
            cursor = page.path("next").isTextual()
                    ? "&cursor=" + encoded(page.path("next").asText())
                    : null;
        }
        return present;
    }

    private Optional<Present> one(Kind kind, String name, String version) throws IOException, InterruptedException {
        try {
            HttpResponse<String> answer = send("GET", kind.folder() + "/" + named(kind, name, version), null, null);
            return Optional.of(new Present(
                    JSON.readTree(answer.body()),
                    answer.headers().firstValue("ETag").orElse("*")));
        } catch (ApplyException e) {
            if (e.status() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String named(Kind kind, String name, String version) {
        return encoded(name) + (kind.hasVersions() ? "?version=" + encoded(version) : "");
    }

    /**
     * How something would be; nothing changes.
     *
     * @param before what is there, or null
     */
    JsonNode checked(DefinitionFile file, @Nullable Present before) throws IOException, InterruptedException {
        return JSON.readTree(write(file, before, DRY).body());
    }

    /** Defines or replaces something, where it is still as it was seen. */
    void apply(DefinitionFile file, @Nullable Present before) throws IOException, InterruptedException {
        write(file, before, "");
    }

    private HttpResponse<String> write(DefinitionFile file, @Nullable Present before, String query)
            throws IOException, InterruptedException {
        return before == null
                ? send("POST", file.kind().folder() + query, file.body(), null)
                : send("PUT", file.kind().folder() + "/" + encoded(file.name()) + query, file.body(), before.etag());
    }

    /** Deletes what nobody wants, with all its versions. */
    void delete(Kind kind, Present before) throws IOException, InterruptedException {
        String name = before.body().path("name").asText();
        if (kind.hasVersions()) {
            JsonNode versions = JSON.readTree(send("GET", kind.folder() + "/" + encoded(name) + "/versions", null, null)
                    .body());
            for (JsonNode version : versions) {
                send(
                        "DELETE",
                        kind.folder() + "/"
                                + named(kind, name, version.path("version").asText()),
                        null,
                        null);
            }
        } else {
            send("DELETE", kind.folder() + "/" + encoded(name), null, before.etag());
        }
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
