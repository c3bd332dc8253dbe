package dev.parley.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.Destination.Kind;
import dev.parley.imports.SourceDatabase.Row;
import dev.parley.language.text.Clip;
import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iris: {@code iris.db} with people and projects, and {@code projects/{id}/project.db} for each project; or a single
 * {@code project.db}. Later versions have tasks instead of todos, calls and results as separate parts, and agents
 * outside of the database.
 */
record IrisSource(Path path) implements ImportSource {
    private static final String NO_SECRETS = "secrets are not taken: set anew ";
    private static final List<String> UNSUPPORTED = List.of(
            "missions",
            "workflows",
            "schedules",
            "services",
            "processes",
            "memory_blocks",
            "snapshots",
            "message_queue");

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
            throw new CommandException(path + " is neither a project.db of Iris nor a folder with an iris.db in it.");
        }
    }

    private void root(Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = SourceDatabase.sqlite("Iris", path.resolve("iris.db"))) {
            String projects = database.select(
                            "projects",
                            "id, name",
                            "description, type, path, git_remote, icon_url, color, settings, archived_at")
                    + "ORDER BY id";
            to.skip("people", "they register anew; password hashes are not taken", database.countOf("users"));
            to.skip(
                    "members",
                    "invite them when they have registered: POST /v1/projects/{project}/members",
                    database.countOf("project_members"));
            to.skip("keys", NO_SECRETS + "with POST /v1/api-keys", database.countOf("api_keys"));
            to.skip("credentials", NO_SECRETS + "with POST /v1/credentials", database.countOf("provider_credentials"));
            to.skip("settings", "settings of Iris mean nothing here", database.countOf("settings"));
            database.each(projects, row -> project(row, to));
        }
    }

    private void project(Row row, Destination to) throws SQLException, IOException, InterruptedException {
        String id = row.string("id");
        if (!SourceJson.read(row.text("settings")).isEmpty()) {
            to.note("projects", "its settings are not taken: they are those of Iris", id);
        }
        if (row.text("archived_at") != null) {
            to.note("projects", "it was archived: DELETE /v1/projects/{project} archives it here", id);
        }
        if (!to.project(body(row))) {
            return;
        }
        Path file = path.resolve("projects").resolve(id).resolve("project.db");
        if (Files.isRegularFile(file)) {
            project(file, to);
        } else {
            to.note("projects", "there is no project.db of it", id);
        }
    }

    private static ObjectNode body(Row row) throws SQLException {
        ObjectNode body = SourceJson.object()
                .put("name", Clip.start(row.string("name"), 126))
                .put("externalKey", "iris:" + row.string("id"));
        SourceJson.put(body, "description", row.text("description"));
        SourceJson.put(body, "path", row.text("path"));
        SourceJson.put(body, "gitRemote", row.text("git_remote"));
        SourceJson.put(body, "color", row.text("color"));
        String icon = row.text("icon_url");
        SourceJson.put(body, "iconUrl", icon != null && icon.startsWith("https://") ? icon : null);
        String type = row.string("type");
        boolean isComplete = type.equals("local") && body.has("path")
                || type.equals("git") && (body.has("path") || body.has("gitRemote"));
        return body.put("type", isComplete ? type : "remote");
    }

    private static void project(Path file, Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = SourceDatabase.sqlite("Iris", file)) {
            database.select("sessions", "id, title", "");
            database.select("messages", "id, session_id, role", "");
            database.select("message_parts", "id, message_id, type, content", "");
            var rules = new IrisRules(database, to);
            if (database.has("tools")) {
                tools(database, to);
            }
            if (database.has("agents")) {
                agents(database, to, rules);
            }
            new IrisSessions(database, to, rules).read();
            if (database.has("permissions")) {
                rules.read();
            }
            if (database.has("files") && database.has("file_versions")) {
                files(database, to);
            }
            skipUnsupported(database, to);
        }
    }

    private static void skipUnsupported(SourceDatabase database, Destination to) throws SQLException {
        for (String table : UNSUPPORTED) {
            to.skip(table, "Parley has no equivalent", database.countOf(table));
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
                to.noteName("tools", name, body.path("name").asText());
                to.define(Kind.TOOLS, body);
            }
        });
    }

    private static @Nullable ObjectNode tool(Row row, Destination to) throws SQLException {
        String name = row.string("name");
        ObjectNode body =
                SourceJson.object().put("name", ImportedNames.tool(name)).put("type", row.string("type"));
        body.put("description", to.description("tools", name, row.string("description")));
        body.put("enabled", row.is("enabled", true));
        String problem = "its parameters_schema is not a JSON object";
        if (SourceJson.read(row.text("parameters_schema")) instanceof ObjectNode schema) {
            body.set("parametersSchema", schema);
            problem = implement(row, body, name, to);
        }
        if (problem != null) {
            to.skip("tools", problem, name);
            return null;
        }
        return body;
    }

    /** Adds the implementation; returns the reason for which the tool cannot be imported, or null. */
    private static @Nullable String implement(Row row, ObjectNode body, String name, Destination to)
            throws SQLException {
        ObjectNode implementation = body.putObject("implementation");
        return switch (row.string("type")) {
            case "code" -> {
                body.put("enabled", false);
                implementation.put("script", row.string("code"));
                to.note("tools", Destination.SCRIPT_DISABLED, name);
                yield null;
            }
            case "mcp" -> implementMcp(row, implementation);
            case "http" -> {
                implementation.put("url", row.string("http_url"));
                SourceJson.put(implementation, "method", row.text("http_method"));
                yield null;
            }
            default -> "its type is none of code, mcp and http";
        };
    }

    private static @Nullable String implementMcp(Row row, ObjectNode implementation) throws SQLException {
        String server = row.string("mcp_server");
        implementation.putObject("server").put("url", server);
        implementation.put("tool", row.string("mcp_tool"));
        return server.startsWith("http://") || server.startsWith("https://")
                ? null
                : "its MCP server is no web address: define it with POST /v1/projects/{project}/mcp-tools";
    }

    private static void agents(SourceDatabase database, Destination to, IrisRules rules)
            throws SQLException, IOException, InterruptedException {
        String sql = database.select(
                        "agents",
                        "name",
                        "description, mode, hidden, provider_id, model_id, temperature, top_p, max_steps, prompt, permissions, options, color, is_builtin")
                + "ORDER BY name";
        database.each(sql, row -> agent(row, to, rules));
    }

    private static void agent(Row row, Destination to, IrisRules rules)
            throws SQLException, IOException, InterruptedException {
        String name = row.string("name");
        if (row.is("is_builtin", false)) {
            to.skip("agents", "it is one that Iris brings along", name);
            return;
        }
        ObjectNode body = agentBody(row);
        to.noteName("agents", name, body.path("name").asText());
        if (!SourceJson.read(row.text("options")).isEmpty()) {
            to.note("agents", "its options are not taken: they are those of Iris", name);
        }
        to.define(Kind.AGENTS, body);
        for (ObjectNode rule : rules.parse(row.text("permissions"), "agent " + name)) {
            to.rule(rule.put("agent", body.path("name").asText()), false);
        }
    }

    private static ObjectNode agentBody(Row row) throws SQLException {
        ObjectNode body = SourceJson.object()
                .put("name", ImportedNames.agent(row.string("name")))
                .put("hidden", row.is("hidden", false));
        SourceJson.put(body, "description", row.text("description"));
        SourceJson.put(body, "mode", row.text("mode"));
        SourceJson.put(body, "prompt", row.text("prompt"));
        SourceJson.put(body, "color", row.text("color"));
        if (row.text("provider_id") != null && row.text("model_id") != null) {
            body.put("model", row.text("provider_id") + "/" + row.text("model_id"));
        }
        body.put("temperature", row.decimal("temperature"));
        body.put("topP", row.decimal("top_p"));
        if (row.number("max_steps") > 0) {
            body.putObject("limits").put("maxSteps", row.number("max_steps"));
        }
        return body;
    }

    /** Writes files with a single version: of others the database has only the first version and differences. */
    private static void files(SourceDatabase database, Destination to)
            throws SQLException, IOException, InterruptedException {
        boolean hasContent = database.has("file_content");
        String content = hasContent ? "COALESCE(c.content, v.patch)" : "v.patch";
        String join = hasContent ? " LEFT JOIN file_content c ON c.version_id = v.id" : "";
        String sql = "SELECT f.path, " + content + " AS content,"
                + " (SELECT max(n.version) FROM file_versions n WHERE n.file_id = f.id) AS newest"
                + " FROM files f JOIN file_versions v ON v.file_id = f.id AND v.version = 1" + join
                + " WHERE f.type = 'file' AND f.deleted_at IS NULL ORDER BY f.path";
        database.each(sql, row -> {
            String text = row.text("content");
            if (text == null || row.number("newest") > 1) {
                to.skip(
                        "files",
                        "its content is not in the database, which keeps differences: write it from the folder of the project",
                        row.string("path"));
            } else {
                to.file(row.string("path"), text.getBytes(StandardCharsets.UTF_8));
            }
        });
    }
}
