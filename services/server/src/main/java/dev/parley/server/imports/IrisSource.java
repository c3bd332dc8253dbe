package dev.parley.server.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.imports.Destination.Conversation;
import dev.parley.server.imports.Destination.Kind;
import dev.parley.server.imports.SourceDatabase.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Iris: {@code iris.db} with people and projects, and {@code projects/{id}/project.db} for each project; or one {@code project.db}
 * alone. Later versions have tasks in place of todos, calls and results as parts of their own, and agents outside of the database.
 * It is long because it has a statement for each table of each version.
 */
record IrisSource(Path path) implements Source {
    private static final int MAX_TODO = 500;
    private static final int MAX_TODOS = 100;
    private static final Set<String> ACTIONS = Set.of("allow", "deny", "ask");
    static final String SCRIPT =
            "scripts are switched off until somebody has looked at them: they are given 'args' here, and reach nothing (docs/tools/scripts.md)";
    private static final String NO_SECRETS = "secrets are not taken: set anew ";

    @Override
    public String system() {
        return "iris";
    }

    @Override
    public void read(Destination to) throws SQLException, IOException, InterruptedException {
        if (Files.isRegularFile(path)) {
            project(path, to);
        } else if (Files.isRegularFile(path.resolve("iris.db"))) {
            root(to);
        } else {
            throw new MovingInException(path + " is neither a project.db of Iris nor a folder with an iris.db in it.");
        }
    }

    // ---- iris.db

    private void root(Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = SourceDatabase.sqlite("Iris", path.resolve("iris.db"))) {
            String projects = database.select(
                            "projects",
                            "id, name",
                            "description, type, path, git_remote, icon_url, color, settings, archived_at")
                    + "ORDER BY id";
            to.notTaken("people", "they register anew; password hashes are not taken", database.countOf("users"));
            to.notTaken(
                    "members",
                    "invite them when they have registered: POST /v1/projects/{project}/members",
                    database.countOf("project_members"));
            to.notTaken("keys", NO_SECRETS + "with POST /v1/api-keys", database.countOf("api_keys"));
            to.notTaken(
                    "credentials", NO_SECRETS + "with POST /v1/credentials", database.countOf("provider_credentials"));
            to.notTaken("settings", "settings of Iris mean nothing here", database.countOf("settings"));
            database.each(projects, row -> project(row, to));
        }
    }

    private void project(Row row, Destination to) throws SQLException, IOException, InterruptedException {
        String id = row.string("id");
        ObjectNode body = Json.object()
                .put("name", Names.clipped(row.string("name"), 126))
                .put("externalKey", "iris:" + id);
        Json.put(body, "description", row.text("description"));
        Json.put(body, "path", row.text("path"));
        Json.put(body, "gitRemote", row.text("git_remote"));
        Json.put(body, "color", row.text("color"));
        String icon = row.text("icon_url");
        Json.put(body, "iconUrl", icon != null && icon.startsWith("https://") ? icon : null);
        String type = row.string("type");
        boolean isComplete = type.equals("local") && body.has("path")
                || type.equals("git") && (body.has("path") || body.has("gitRemote"));
        body.put("type", isComplete ? type : "remote");
        if (!Json.read(row.text("settings")).isEmpty()) {
            to.note("projects", "its settings are not taken: they are those of Iris", id);
        }
        if (row.text("archived_at") != null) {
            to.note("projects", "it was archived: DELETE /v1/projects/{project} archives it here", id);
        }
        boolean isMade = to.project(body);
        Path file = path.resolve("projects").resolve(id).resolve("project.db");
        if (!isMade) {
            return;
        }
        if (Files.isRegularFile(file)) {
            project(file, to);
        } else {
            to.note("projects", "there is no project.db of it", id);
        }
    }

    // ---- project.db

    private static void project(Path file, Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = SourceDatabase.sqlite("Iris", file)) {
            database.select("sessions", "id, title", "");
            database.select("messages", "id, session_id, role", "");
            database.select("message_parts", "id, message_id, type, content", "");
            if (database.has("tools")) {
                tools(database, to);
            }
            if (database.has("agents")) {
                agents(database, to);
            }
            new Sessions(database, to).read();
            if (database.has("permissions")) {
                rules(database, to);
            }
            if (database.has("files") && database.has("file_versions")) {
                files(database, to);
            }
            for (String other : "missions workflows schedules services processes memory_blocks snapshots message_queue"
                    .split(" ")) {
                to.notTaken(other, "Parley has nothing that it could become yet", database.countOf(other));
            }
        }
    }

    private static void tools(SourceDatabase database, Destination to)
            throws SQLException, IOException, InterruptedException {
        String sql = database.select(
                        "tools",
                        "name, description, type, parameters_schema",
                        "code, mcp_server, mcp_tool, http_url, http_method, enabled")
                + "ORDER BY name";
        database.each(sql, row -> {
            String name = row.string("name");
            ObjectNode body = tool(row, to);
            if (body != null) {
                to.renamed("tools", name, body.path("name").asText());
                to.define(Kind.TOOLS, body);
            }
        });
    }

    private static @Nullable ObjectNode tool(Row row, Destination to) throws SQLException {
        String name = row.string("name");
        ObjectNode body = Json.object().put("name", Names.tool(name)).put("type", row.string("type"));
        body.put("description", to.description("tools", name, row.string("description")));
        body.put("enabled", row.is("enabled", true));
        String problem = "its parameters_schema is no JSON object";
        if (Json.read(row.text("parameters_schema")) instanceof ObjectNode schema) {
            body.set("parametersSchema", schema);
            problem = implement(row, body, name, to);
        }
        if (problem != null) {
            to.notTaken("tools", problem, name);
            return null;
        }
        return body;
    }

    /** Adds the implementation. @return why the tool cannot be imported, or null */
    private static @Nullable String implement(Row row, ObjectNode body, String name, Destination to)
            throws SQLException {
        ObjectNode implementation = body.putObject("implementation");
        switch (row.string("type")) {
            case "code" -> {
                body.put("enabled", false);
                implementation.put("script", row.string("code"));
                to.note("tools", SCRIPT, name);
            }
            case "mcp" -> {
                String server = row.string("mcp_server");
                if (!server.startsWith("http://") && !server.startsWith("https://")) {
                    return "its MCP server is no web address: define it with POST /v1/projects/{project}/mcp-tools";
                }
                implementation.putObject("server").put("url", server);
                implementation.put("tool", row.string("mcp_tool"));
            }
            case "http" -> {
                implementation.put("url", row.string("http_url"));
                Json.put(implementation, "method", row.text("http_method"));
            }
            default -> {
                return "its type is none of code, mcp and http";
            }
        }
        return null;
    }

    private static void agents(SourceDatabase database, Destination to)
            throws SQLException, IOException, InterruptedException {
        String sql = database.select(
                        "agents",
                        "name",
                        "description, mode, hidden, provider_id, model_id, temperature, top_p, max_steps, prompt, permissions, options, color, is_builtin")
                + "ORDER BY name";
        database.each(sql, row -> {
            String name = row.string("name");
            if (row.is("is_builtin", false)) {
                to.notTaken("agents", "it is one that Iris brings along", name);
                return;
            }
            ObjectNode body = Json.object().put("name", Names.agent(name)).put("hidden", row.is("hidden", false));
            to.renamed("agents", name, body.path("name").asText());
            Json.put(body, "description", row.text("description"));
            Json.put(body, "mode", row.text("mode"));
            Json.put(body, "prompt", row.text("prompt"));
            Json.put(body, "color", row.text("color"));
            if (row.text("provider_id") != null && row.text("model_id") != null) {
                body.put("model", row.text("provider_id") + "/" + row.text("model_id"));
            }
            body.put("temperature", row.decimal("temperature"));
            body.put("topP", row.decimal("top_p"));
            if (row.number("max_steps") > 0) {
                body.putObject("limits").put("maxSteps", row.number("max_steps"));
            }
            if (!Json.read(row.text("options")).isEmpty()) {
                to.note("agents", "its options are not taken: they are those of Iris", name);
            }
            to.define(Kind.AGENTS, body);
            for (ObjectNode rule : rules(row.text("permissions"), "agent " + name, to)) {
                to.rule(rule.put("agent", body.path("name").asText()), false);
            }
        });
    }

    // ---- rules

    private static void rules(SourceDatabase database, Destination to)
            throws SQLException, IOException, InterruptedException {
        String sql = database.select("permissions", "id, permission, pattern, action, scope", "")
                + "WHERE scope <> 'session' ORDER BY id";
        database.each(sql, row -> {
            ObjectNode rule = rule(row, to);
            if (rule != null) {
                to.rule(rule, row.string("scope").equals("global"));
            }
        });
    }

    private static @Nullable ObjectNode rule(Row row, Destination to) throws SQLException {
        ObjectNode rule = rule(row.string("permission"), row.text("pattern"), row.string("action"));
        if (rule == null) {
            to.notTaken("rules", "its action is none of allow, deny and ask", row.string("id"));
        }
        return rule;
    }

    private static @Nullable ObjectNode rule(String tool, @Nullable String pattern, String action) {
        if (!ACTIONS.contains(action) || tool.isBlank()) {
            return null;
        }
        ObjectNode rule = Json.object().put("tool", tool).put("action", action);
        Json.put(rule, "pattern", pattern == null || pattern.equals("*") ? null : pattern);
        return rule;
    }

    /** A list of rules in a column. */
    private static List<ObjectNode> rules(@Nullable String json, String of, Destination to) {
        JsonNode read = Json.read(json);
        var rules = new ArrayList<ObjectNode>();
        for (JsonNode one : read) {
            String tool = Json.first(one, "permission", "tool").asText();
            ObjectNode rule = rule(
                    tool, one.path("pattern").asText(null), one.path("action").asText());
            if (rule == null) {
                to.notTaken("rules", "it is no {permission, pattern, action}", of);
            } else {
                rules.add(rule);
            }
        }
        return rules;
    }

    // ---- files

    /** Of a file that was changed only what it was at first is there as a whole, and differences. */
    private static void files(SourceDatabase database, Destination to)
            throws SQLException, IOException, InterruptedException {
        boolean beside = database.has("file_content");
        String content = beside ? "COALESCE(c.content, v.patch)" : "v.patch";
        String join = beside ? " LEFT JOIN file_content c ON c.version_id = v.id" : "";
        String sql = "SELECT f.path, " + content + " AS content,"
                + " (SELECT max(n.version) FROM file_versions n WHERE n.file_id = f.id) AS newest"
                + " FROM files f JOIN file_versions v ON v.file_id = f.id AND v.version = 1" + join
                + " WHERE f.type = 'file' AND f.deleted_at IS NULL ORDER BY f.path";
        database.each(sql, row -> {
            String text = row.text("content");
            if (text == null || row.number("newest") > 1) {
                to.notTaken(
                        "files",
                        "its content is not in the database, which keeps differences: write it from the folder of the project",
                        row.string("path"));
            } else {
                to.file(row.string("path"), text.getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    // ---- sessions

    /** The sessions of a project. */
    private record Sessions(SourceDatabase database, Destination to, Map<String, String> keys, Set<String> taken) {
        Sessions(SourceDatabase database, Destination to) {
            this(database, to, new HashMap<>(), new HashSet<>());
        }

        void read() throws SQLException, IOException, InterruptedException {
            String sql = database.select(
                    "sessions", "id, title", "parent_id, status, agent, permissions, share_secret, created_at");
            // Parents come before what hangs below them.
            database.each(sql + "ORDER BY created_at, id", this::session);
        }

        private void session(Row row) throws SQLException, IOException, InterruptedException {
            String id = row.string("id");
            if (row.string("status").equals("deleted")) {
                to.notTaken("sessions", "it was deleted in Iris", id);
                return;
            }
            String agent = Names.agent(row.text("agent") == null ? "default" : row.string("agent"));
            String key = key(id, row.text("parent_id"), agent);
            keys.put(id, key);
            if (row.text("share_secret") != null) {
                to.notTaken("shares", "links end with Iris: share it anew with POST …/sessions/{key}/share", id);
            }
            var history = new History(1);
            new Messages(id, history, to).read(database);
            todos(id, history);
            to.notTaken(
                    "messages", "older than what a session has room for (1 MiB, 10,000 messages)", history.dropped());
            var rules = rules(row.text("permissions"), "session " + id, to);
            rules.addAll(ofSession(id));
            to.conversation(new Conversation(
                    key,
                    row.text("title"),
                    agent,
                    row.string("status").equals("archived"),
                    "rows",
                    history.messages(),
                    rules));
        }

        /** The first one for an agent is the one that the parent goes on with. */
        private String key(String id, @Nullable String parent, String agent) {
            String above = parent == null ? null : keys.get(parent);
            if (above == null) {
                if (parent != null) {
                    to.note("sessions", "its parent is not taken: it stands alone", id);
                }
                return "iris:" + Names.session(id);
            }
            String first = above + ":delegate:" + agent;
            return taken.add(first) ? first : first + "~" + Names.session(id);
        }

        private List<ObjectNode> ofSession(String id) throws SQLException, IOException, InterruptedException {
            var rules = new ArrayList<ObjectNode>();
            if (database.has("permissions")) {
                String sql = database.select("permissions", "id, permission, pattern, action", "")
                        + "WHERE session_id = ? AND scope = 'session' ORDER BY id";
                database.each(
                        sql,
                        row -> {
                            ObjectNode rule = rule(row, to);
                            if (rule != null) {
                                rules.add(rule);
                            }
                        },
                        id);
            }
            return rules;
        }

        /** The list stands at the end, as the agent would have written it: so the session has it, and its agent knows. */
        private void todos(String id, History history) throws SQLException, IOException, InterruptedException {
            boolean hasTasks = database.has("tasks");
            if (!hasTasks && !database.has("todos")) {
                return;
            }
            String content = hasTasks ? "title AS content" : "content";
            String sql = "SELECT " + content + ", active_form, status FROM " + (hasTasks ? "tasks" : "todos")
                    + " WHERE session_id = ? ORDER BY position, id";
            ArrayNode todos = Json.object().putArray("todos");
            database.each(sql, row -> todo(row, todos), id);
            if (todos.isEmpty()) {
                return;
            }
            ObjectNode call = Json.object().put("kind", "tool_call");
            ObjectNode data = call.putObject("data").put("id", "iris-todos").put("name", "todo_write");
            data.putObject("arguments").set("todos", todos);
            ObjectNode result = Json.object().put("kind", "tool_result");
            result.putObject("data").put("tool_call_id", "iris-todos").put("output", todos.size() + " todos");
            history.add(Long.MAX_VALUE, call, false);
            history.add(Long.MAX_VALUE, result, false);
        }

        private void todo(Row row, ArrayNode todos) throws SQLException {
            if (todos.size() == MAX_TODOS) {
                to.notTaken("todos", "a session has at most 100", 1);
                return;
            }
            String content = Names.clipped(row.string("content").strip(), MAX_TODO);
            String status = row.string("status");
            boolean isSecond = status.equals("in_progress")
                    && todos.findValuesAsText("status").contains("in_progress");
            if (content.isEmpty()) {
                return;
            }
            String form = Names.clipped(row.string("active_form").strip(), MAX_TODO);
            todos.addObject()
                    .put("content", content)
                    .put("activeForm", form.isEmpty() ? content : form)
                    .put(
                            "status",
                            isSecond || !Set.of("in_progress", "completed").contains(status) ? "pending" : status);
        }
    }

    /** The messages of a session, whose parts come one by one. */
    private static final class Messages {
        private final String session;
        private final History history;
        private final Destination to;
        private final StringBuilder said = new StringBuilder();
        private String role = "";
        private String message = "";
        private long number;

        Messages(String session, History history, Destination to) {
            this.session = session;
            this.history = history;
            this.to = to;
        }

        void read(SourceDatabase database) throws SQLException, IOException, InterruptedException {
            Set<String> columns = database.columns("message_parts");
            String tool = columns.contains("tool_name")
                    ? "p.tool_name, p.tool_call_id, p.tool_status"
                    : "NULL AS tool_name, NULL AS tool_call_id, NULL AS tool_status";
            String sql = "SELECT m.id, m.role, p.type, p.content, " + tool
                    + " FROM messages m JOIN message_parts p ON p.message_id = m.id WHERE m.session_id = ? ORDER BY m.id, p.id";
            database.each(sql, this::part, session);
            end();
        }

        private void part(Row row) throws SQLException {
            if (!row.string("id").equals(message)) {
                end();
                message = row.string("id");
                role = row.string("role");
            }
            JsonNode content = Json.read(row.text("content"));
            if (content.isMissingNode()) {
                to.notTaken("parts", "its content is no JSON", session + " " + message);
                return;
            }
            switch (row.string("type")) {
                case "text" -> said.append(said.isEmpty() ? "" : "\n").append(text(content));
                case "tool" -> {
                    call(row, content);
                    result(row, content, null);
                }
                case "tool-call" -> call(row, content);
                case "tool-result" -> result(row, content, content);
                case "reasoning" ->
                    to.notTaken(
                            "parts",
                            "reasoning: it can be given back to its provider with its signature alone, which Iris does not keep",
                            session);
                case "file" -> to.notTaken("parts", "a file that was sent: its bytes are not in the database", session);
                case "step-start", "step-finish", "patch" -> {} // never for a model
                default -> to.notTaken("parts", "its type is not known", session + " " + row.string("type"));
            }
        }

        private static String text(JsonNode content) {
            return content.isTextual() ? content.asText() : content.path("text").asText();
        }

        private void call(Row row, JsonNode content) throws SQLException {
            end();
            ObjectNode data =
                    Json.object().put("id", row.string("tool_call_id")).put("name", row.string("tool_name"));
            JsonNode arguments = Json.first(content, "args", "input", "arguments");
            data.set("arguments", arguments.isMissingNode() ? Json.object() : arguments);
            add("tool_call", data);
        }

        /** @param otherwise the output where the content has none, or null for no result then */
        private void result(Row row, JsonNode content, @Nullable JsonNode otherwise) throws SQLException {
            JsonNode found = Json.first(content, "result", "output", "error");
            JsonNode output = found.isMissingNode() ? otherwise : found;
            if (output == null) {
                return;
            }
            end();
            ObjectNode data = Json.object().put("tool_call_id", row.string("tool_call_id"));
            data.set("output", output);
            add("tool_result", data.put("success", !row.string("tool_status").equals("error")));
        }

        private void add(String kind, ObjectNode data) {
            ObjectNode row = Json.object().put("kind", kind);
            row.set("data", data);
            history.add(number++, row, false);
        }

        /** What was said up to here is a message. */
        private void end() {
            if (!said.toString().isBlank() && Set.of("user", "assistant").contains(role)) {
                history.add(
                        number++, Json.object().put("kind", role).put("text", said.toString()), role.equals("user"));
            }
            said.setLength(0);
        }
    }
}
