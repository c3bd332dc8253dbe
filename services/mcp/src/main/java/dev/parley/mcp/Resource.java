package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.api.ApiRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resources, by the template of their URIs. A URI is a path of the API after {@code parley://}.
 *
 * @param template such as {@code parley://projects/{project}/sessions/{session}}
 * @param path of the API, with {@code {}} for each variable of the template
 * @param query whether the first variable, the project, is a query parameter and not part of the path
 * @param listed source of listed resources; null if they are not listed
 */
record Resource(
        String name,
        String title,
        String description,
        String template,
        String path,
        boolean query,
        String mimeType,
        Set<String> roles,
        @Nullable Listed listed) {
    static final String SCHEME = "parley://";
    private static final String JSON = "application/json";
    private static final Pattern VARIABLE = Pattern.compile("\\{[a-z]+}");
    private static final int MAX_URI = 4_000;

    /**
     * Source of the newest resources.
     *
     * @param path of the API, with {@code {}} for the project if it has one
     * @param id the field that is the last variable of the URI
     * @param titles fields for the title, of which the first present one is used
     */
    record Listed(String path, String id, List<String> titles) {}

    private static final String PROJECT = SCHEME + "projects/{project}/";

    /** All kinds, in their order. */
    static List<Resource> all() {
        return List.of(
                index("agents", "Agents", "The agents of the project.", "control"),
                new Resource(
                        "agent",
                        "Agent",
                        "An agent, with its purpose and configuration.",
                        PROJECT + "agents/{agent}",
                        "/v1/projects/{}/agents/{}",
                        false,
                        JSON,
                        Set.of("control"),
                        new Listed("/v1/projects/{}/agents", "name", List.of("description"))),
                index("sessions", "Sessions", "The newest conversations with agents in the project.", "sessions"),
                new Resource(
                        "session",
                        "Session",
                        "A conversation with an agent: its title, agent and counts.",
                        PROJECT + "sessions/{session}",
                        "/v1/projects/{}/sessions/{}",
                        false,
                        JSON,
                        Set.of("sessions"),
                        null),
                new Resource(
                        "messages",
                        "Messages of a session",
                        "The messages of a session, newest first.",
                        PROJECT + "sessions/{session}/messages",
                        "/v1/projects/{}/sessions/{}/messages?order=desc",
                        false,
                        JSON,
                        Set.of("sessions"),
                        new Listed("/v1/projects/{}/sessions", "key", List.of("title"))),
                index("workflows", "Workflows", "The workflows of the project.", "workflows"),
                new Resource(
                        "workflow",
                        "Workflow",
                        "The definition of a workflow, in YAML, by its id, namespace:name or namespace:name:version.",
                        PROJECT + "workflows/{workflow}/definition",
                        "/v1/projects/{}/workflows/{}/definition",
                        false,
                        "application/yaml",
                        Set.of("workflows"),
                        new Listed("/v1/projects/{}/workflows", "id", List.of("title", "name"))),
                queriedIndex("processes", "Processes", "The newest processes of workflows in the project."),
                new Resource(
                        "process",
                        "Process",
                        "A process of a workflow: its phase, what it waits for, and its output.",
                        SCHEME + "processes/{process}",
                        "/v1/processes/{}",
                        false,
                        JSON,
                        Set.of("workflows"),
                        new Listed("/v1/processes", "id", List.of("workflow"))),
                queriedIndex("tasks", "Tasks", "The open tasks for people, from workflows and agents of the project."));
    }

    private static Resource index(String name, String title, String description, String role) {
        return new Resource(
                name, title, description, PROJECT + name, "/v1/projects/{}/" + name, false, JSON, Set.of(role), null);
    }

    /** An index of the role {@code workflows} whose API takes the project as a query parameter. */
    private static Resource queriedIndex(String name, String title, String description) {
        return new Resource(
                name, title, description, PROJECT + name, "/v1/" + name, true, JSON, Set.of("workflows"), null);
    }

    /** Whether each project has exactly one resource of this kind. */
    boolean isIndex() {
        return VARIABLE.matcher(template).results().count() == 1 && template.startsWith(PROJECT);
    }

    /**
     * The URI of a resource.
     *
     * @param variables values of the template, in order
     */
    String uri(String... variables) {
        var uri = new StringBuilder();
        Matcher matcher = VARIABLE.matcher(template);
        int position = 0;
        for (int i = 0; matcher.find(); i++) {
            uri.append(template, position, matcher.start()).append(ApiRequest.encode(variables[i]));
            position = matcher.end();
        }
        return uri.append(template.substring(position)).toString();
    }

    /** The request that reads this URI; empty if the URI does not match the template. */
    Optional<ApiRequest> request(String uri) {
        if (uri.length() > MAX_URI) {
            return Optional.empty();
        }
        var pattern = new StringBuilder();
        int position = 0;
        for (Matcher variable = VARIABLE.matcher(template); variable.find(); position = variable.end()) {
            pattern.append(Pattern.quote(template.substring(position, variable.start())))
                    .append("([^/?#]+)");
        }
        pattern.append(Pattern.quote(template.substring(position)));
        Matcher matcher = Pattern.compile(pattern.toString()).matcher(uri);
        return matcher.matches() ? decodeGroups(matcher).map(this::request) : Optional.empty();
    }

    private static Optional<List<String>> decodeGroups(Matcher matcher) {
        var values = new ArrayList<String>();
        try {
            for (int i = 1; i <= matcher.groupCount(); i++) {
                values.add(URLDecoder.decode(matcher.group(i).replace("+", "%2B"), StandardCharsets.UTF_8));
            }
            return Optional.of(values);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // incomplete percent-encoding
        }
    }

    private ApiRequest request(List<String> values) {
        return query
                ? ApiRequest.get(path).with("project", values.getFirst())
                : ApiRequest.get(path, values.toArray(String[]::new));
    }

    /** The request that lists the resources; empty if they are not listed. */
    Optional<ApiRequest> list(String project, int limit) {
        return Optional.ofNullable(listed)
                .map(from -> from.path().contains("{}")
                        ? ApiRequest.get(from.path(), project)
                        : ApiRequest.get(from.path()).with("project", project))
                .map(request -> request.with("limit", limit));
    }

    /** Adds the resources of an API list. */
    void addAll(ArrayNode to, ObjectNode page, String project) {
        if (listed == null) {
            return;
        }
        boolean inProject = template.startsWith(PROJECT);
        for (JsonNode row : page.path("data")) {
            String id = row.path(listed.id()).asText("");
            if (!id.isEmpty()) {
                to.add(listingJson(inProject ? uri(project, id) : uri(id), id, title(row, listed.titles())));
            }
        }
    }

    private String title(JsonNode row, List<String> fields) {
        return fields.stream()
                .map(field -> row.path(field))
                .filter(value -> value.isTextual() && !value.asText().isBlank())
                .map(value -> value.asText().strip())
                .findFirst()
                .orElse(title);
    }

    /** The resource as the protocol lists it. */
    private ObjectNode listingJson(String uri, String id, String shownTitle) {
        return json("uri", uri, name + " " + id, shownTitle);
    }

    /** The index of a project, as the protocol lists it. */
    ObjectNode index(String project) {
        return json("uri", uri(project), name, title);
    }

    /** The template, as the protocol lists it. */
    ObjectNode templateJson() {
        return json("uriTemplate", template, name, title);
    }

    private ObjectNode json(String field, String uri, String shownName, String shownTitle) {
        return McpJson.object()
                .put(field, uri)
                .put("name", shownName)
                .put("title", shownTitle)
                .put("description", description)
                .put("mimeType", mimeType);
    }
}
