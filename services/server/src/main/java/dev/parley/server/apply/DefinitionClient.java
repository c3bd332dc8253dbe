package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.client.Connection;
import dev.parley.server.client.ApiClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads and writes the definitions of a project or a host. A refused request throws an {@link ApplyException} with its detail. */
final class DefinitionClient extends ApiClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String DRY = "?dryRun=true";

    private final String path;
    private final String source;

    /** @param project null for the host */
    DefinitionClient(Connection connection, @Nullable String project) {
        super(connection, TIMEOUT);
        this.path = project == null ? "/v1/" : "/v1/projects/" + encoded(project) + "/";
        this.source = project == null ? "host" : "project";
    }

    /**
     * What is there.
     *
     * @param etag of the version that was seen; of a workflow its id
     */
    record Present(JsonNode body, String etag) {}

    /**
     * What is defined in this place of a kind, by label: what files define in the version that they do, all else in its newest.
     */
    Map<String, Present> present(Kind kind, Map<String, DefinitionFile> files)
            throws IOException, InterruptedException {
        if (kind.isText()) {
            return texts(kind, files);
        }
        var present = new TreeMap<String, Present>();
        for (JsonNode one : all(kind.folder() + (kind == Kind.AGENT ? "?includeHidden=true&" : "?"))) {
            String name = one.path("name").asText();
            if (one.path("source").asText().equals(source)) {
                DefinitionFile file = files.get(kind.label(name));
                one(kind, name, file == null ? one.path("version").asText() : file.version())
                        .ifPresent(there -> present.put(kind.label(name), there));
            }
        }
        return present;
    }

    /** The same for what is its text: that is fetched of those that files define. */
    private Map<String, Present> texts(Kind kind, Map<String, DefinitionFile> files)
            throws IOException, InterruptedException {
        var present = new TreeMap<String, Present>();
        for (JsonNode one : all(kind.folder() + "?")) {
            String name = one.path("namespace").asText() + ":"
                    + one.path("name").asText() + ":" + one.path("version").asText();
            String id = one.path("id").asText();
            ObjectNode body = JSON.createObjectNode().put("name", name);
            if (files.containsKey(kind.label(name))) {
                body.put(
                        "definition",
                        send("GET", kind.folder() + "/" + id + "/definition", null, null)
                                .body());
            }
            present.put(kind.label(name), new Present(body, id));
        }
        return present;
    }

    /** All that a list has, page after page. @param list its path with the beginning of a query */
    private List<JsonNode> all(String list) throws IOException, InterruptedException {
        var all = new ArrayList<JsonNode>();
        @Nullable String cursor = "";
        while (cursor != null) {
            JsonNode page = JSON.readTree(
                    send("GET", list + "limit=200" + cursor, null, null).body());
            page.path("data").forEach(all::add);
            cursor = page.path("next").isTextual()
                    ? "&cursor=" + encoded(page.path("next").asText())
                    : null;
        }
        return all;
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
        if (file.kind().isText()) {
            send(
                    "POST",
                    file.kind().folder() + DRY,
                    file.body().path("definition").asText());
            if (before != null && !before.body().equals(file.body())) {
                throw new ApplyException(
                        400, "The version is published and says something else: give this one another version");
            }
            return file.body();
        }
        return JSON.readTree(write(file, before, DRY).body());
    }

    /** Defines or replaces something, where it is still as it was seen. */
    void apply(DefinitionFile file, @Nullable Present before) throws IOException, InterruptedException {
        write(file, before, "");
    }

    private HttpResponse<String> write(DefinitionFile file, @Nullable Present before, String query)
            throws IOException, InterruptedException {
        if (file.kind().isText()) {
            return send(
                    "POST", file.kind().folder(), file.body().path("definition").asText());
        }
        return before == null
                ? send("POST", file.kind().folder() + query, file.body(), null)
                : send("PUT", file.kind().folder() + "/" + encoded(file.name()) + query, file.body(), before.etag());
    }

    /** Deletes what nobody wants, with all its versions. */
    void delete(Kind kind, Present before) throws IOException, InterruptedException {
        String name = before.body().path("name").asText();
        if (kind.isText()) {
            send("DELETE", kind.folder() + "/" + before.etag(), null, null);
        } else if (kind.hasVersions()) {
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

    /** Sends YAML. */
    private HttpResponse<String> send(String method, String rest, String yaml)
            throws IOException, InterruptedException {
        return send(method, rest, "application/yaml", BodyPublishers.ofString(yaml), null);
    }

    private HttpResponse<String> send(String method, String rest, @Nullable JsonNode body, @Nullable String etag)
            throws IOException, InterruptedException {
        BodyPublisher content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString());
        return send(method, rest, "application/json", content, etag);
    }

    private HttpResponse<String> send(
            String method, String rest, String type, BodyPublisher content, @Nullable String etag)
            throws IOException, InterruptedException {
        var request = request(path + rest).header("Content-Type", type).method(method, content);
        if (etag != null) {
            request.header("If-Match", etag);
        }
        try {
            HttpResponse<String> response = http().send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw refused(response);
            }
            return response;
        } catch (ConnectException e) {
            throw new ApplyException(notRunning());
        }
    }

    private static ApplyException refused(HttpResponse<String> response) {
        int status = response.statusCode();
        JsonNode problem = parse(response.body());
        var places = new ArrayList<String>();
        problem.path("errors")
                .forEach(error -> places.add("line %d, column %d: %s"
                        .formatted(
                                error.path("line").asInt(),
                                error.path("column").asInt(),
                                error.path("detail").asText())));
        if (!places.isEmpty()) {
            return new ApplyException(status, String.join("\n  ", places));
        }
        String why = status == 401 ? "The key is wrong" : "The server answered " + status;
        return new ApplyException(status, problem.path("detail").asText(why));
    }
}
