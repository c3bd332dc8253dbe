package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ApiProblem;
import dev.parley.server.client.ApiProblem.FieldError;
import dev.parley.server.client.CommandException;
import dev.parley.server.client.ServerConnection;
import java.io.IOException;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes the definitions of a project or a host. */
final class DefinitionClient extends ApiClient {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String DRY_RUN = "?dryRun=true";

    private final String root;
    private final String source;

    /** @param project null for the host */
    DefinitionClient(ServerConnection connection, @Nullable String project) {
        super(connection, TIMEOUT);
        this.root = project == null ? "/v1/" : "/v1/projects/" + encode(project) + "/";
        this.source = project == null ? "host" : "project";
    }

    /**
     * A definition on the server.
     *
     * @param etag of its version; the id of a workflow
     */
    record Existing(JsonNode body, String etag) {}

    /** The definitions of a kind by label: in the version of their file, or in the newest version without a file. */
    Map<String, Existing> existing(DefinitionKind kind, Map<String, DefinitionFile> files)
            throws IOException, InterruptedException {
        if (kind.isImmutable()) {
            return workflows(kind, files);
        }
        var existing = new TreeMap<String, Existing>();
        for (JsonNode listed : list(kind.folder() + (kind == DefinitionKind.AGENT ? "?includeHidden=true&" : "?"))) {
            String name = listed.path("name").asText();
            if (listed.path("source").asText().equals(source)) {
                DefinitionFile file = files.get(kind.label(name));
                find(kind, name, file == null ? listed.path("version").asText() : file.version())
                        .ifPresent(definition -> existing.put(kind.label(name), definition));
            }
        }
        return existing;
    }

    /** Workflows by label; the text is fetched only of those with a file. */
    private Map<String, Existing> workflows(DefinitionKind kind, Map<String, DefinitionFile> files)
            throws IOException, InterruptedException {
        var existing = new TreeMap<String, Existing>();
        for (JsonNode listed : list(kind.folder() + "?")) {
            String name = listed.path("namespace").asText() + ":"
                    + listed.path("name").asText() + ":"
                    + listed.path("version").asText();
            String id = listed.path("id").asText();
            ObjectNode body = JSON.createObjectNode().put("name", name);
            if (files.containsKey(kind.label(name))) {
                body.put(
                        "definition",
                        fetch(kind.folder() + "/" + id + "/definition").body());
            }
            existing.put(kind.label(name), new Existing(body, id));
        }
        return existing;
    }

    /**
     * The items of all pages of a list.
     *
     * @param path with the beginning of a query
     */
    private List<JsonNode> list(String path) throws IOException, InterruptedException {
        var items = new ArrayList<JsonNode>();
        @Nullable String cursor = "";
        while (cursor != null) {
            JsonNode page = JSON.readTree(fetch(path + "limit=200" + cursor).body());
            page.path("data").forEach(items::add);
            cursor = nextPage(page);
        }
        return items;
    }

    private Optional<Existing> find(DefinitionKind kind, String name, String version)
            throws IOException, InterruptedException {
        try {
            HttpResponse<String> response = fetch(path(kind, name, version));
            return Optional.of(new Existing(
                    JSON.readTree(response.body()),
                    response.headers().firstValue("ETag").orElse("*")));
        } catch (CommandException e) {
            if (e.status() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String path(DefinitionKind kind, String name) {
        return kind.folder() + "/" + encode(name);
    }

    private static String path(DefinitionKind kind, String name, String version) {
        return path(kind, name) + (kind.hasVersions() ? "?version=" + encode(version) : "");
    }

    /**
     * The definition that applying a file would result in, from a dry run.
     *
     * @param before the existing definition, or null
     */
    JsonNode preview(DefinitionFile file, @Nullable Existing before) throws IOException, InterruptedException {
        if (file.kind().isImmutable()) {
            postYaml(file, DRY_RUN);
            if (before != null && !before.body().equals(file.body())) {
                throw new CommandException(
                        400, "This version is published with different content: use another version");
            }
            return file.body();
        }
        return JSON.readTree(write(file, before, DRY_RUN).body());
    }

    /** Creates a definition, or replaces an existing one that has not changed since. */
    void apply(DefinitionFile file, @Nullable Existing before) throws IOException, InterruptedException {
        if (file.kind().isImmutable()) {
            postYaml(file, "");
        } else {
            write(file, before, "");
        }
    }

    private HttpResponse<String> write(DefinitionFile file, @Nullable Existing before, String query)
            throws IOException, InterruptedException {
        return before == null
                ? send("POST", file.kind().folder() + query, file.body(), null)
                : send("PUT", path(file.kind(), file.name()) + query, file.body(), before.etag());
    }

    /** Deletes a definition with all its versions. */
    void delete(DefinitionKind kind, Existing before) throws IOException, InterruptedException {
        String name = before.body().path("name").asText();
        if (kind.isImmutable()) {
            send("DELETE", kind.folder() + "/" + before.etag(), null, null);
        } else if (kind.hasVersions()) {
            JsonNode versions =
                    JSON.readTree(fetch(path(kind, name) + "/versions").body());
            for (JsonNode version : versions) {
                send("DELETE", path(kind, name, version.path("version").asText()), null, null);
            }
        } else {
            send("DELETE", path(kind, name), null, before.etag());
        }
    }

    private HttpResponse<String> fetch(String path) throws IOException, InterruptedException {
        return send("GET", path, null, null);
    }

    private void postYaml(DefinitionFile file, String query) throws IOException, InterruptedException {
        var yaml = BodyPublishers.ofString(file.body().path("definition").asText());
        send("POST", file.kind().folder() + query, "application/yaml", yaml, null);
    }

    private HttpResponse<String> send(String method, String path, @Nullable JsonNode body, @Nullable String etag)
            throws IOException, InterruptedException {
        BodyPublisher content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString());
        return send(method, path, "application/json", content, etag);
    }

    private HttpResponse<String> send(
            String method, String path, String type, BodyPublisher content, @Nullable String etag)
            throws IOException, InterruptedException {
        var request = request(root + path).header("Content-Type", type).method(method, content);
        if (etag != null) {
            request.header("If-Match", etag);
        }
        return requireSuccess(exchange(request.build(), BodyHandlers.ofString()));
    }

    /** The message has only the errors, if there are any, as it follows the path of a file. */
    @Override
    protected CommandException toException(ApiProblem problem) {
        List<FieldError> errors = problem.errors();
        return new CommandException(
                problem.status(),
                errors.isEmpty()
                        ? problem.detail()
                        : errors.stream().map(FieldError::toString).collect(Collectors.joining("\n  ")));
    }
}
