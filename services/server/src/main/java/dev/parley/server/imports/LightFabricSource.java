package dev.parley.server.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.imports.Destination.Bank;
import dev.parley.server.imports.Destination.Conversation;
import dev.parley.server.imports.Destination.Kind;
import dev.parley.server.imports.SourceDatabase.Row;
import dev.parley.server.imports.SourceDatabase.RowReader;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Light-Fabric: tables that end with {@code _t} of one host. What is not active there is not taken. It is long because it has a statement for
 * each table.
 *
 * @param host of which rows are taken, or null where there is only one
 * @param user whose banks and sessions become the caller's, or null for nobody's
 */
record LightFabricSource(
        Supplier<SourceDatabase> open,
        @Nullable String host,
        @Nullable String user) implements Source {
    private static final int MAX_CONTEXT = 2_000;
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendOffset("+HH:mm", "Z")
            .toFormatter();

    @Override
    public String system() {
        return "light-fabric";
    }

    @Override
    public void read(Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = open.get()) {
            database.select("agent_definition_t", "host_id, agent_def_id, agent_name", "");
            new Reading(database, to, hostOf(database)).read();
        }
    }

    private String hostOf(SourceDatabase database) throws SQLException, IOException, InterruptedException {
        var hosts = new LinkedHashSet<String>();
        for (String table : List.of("agent_definition_t", "skill_t", "tool_t", "agent_memory_bank_t")) {
            if (database.has(table)) {
                database.each(
                        "SELECT DISTINCT host_id FROM " + table + " ORDER BY host_id",
                        row -> hosts.add(row.string("host_id")));
            }
        }
        if (host == null && hosts.size() > 1) {
            throw new MovingInException("There are several hosts in it: name one with --host: "
                    + String.join(", ", hosts.stream().limit(20).toList()));
        }
        if (host != null && !hosts.contains(host)) {
            throw new MovingInException("There is nothing of the host " + host + " in it.");
        }
        return host != null ? host : hosts.isEmpty() ? "" : hosts.getFirst();
    }

    /** Rows of one host. */
    private final class Reading {
        private final SourceDatabase database;
        private final Destination to;
        private final Object of;
        private final Map<String, String> tools = new HashMap<>();
        private final Map<String, Skill> skills = new LinkedHashMap<>();
        private final Map<String, String> agents = new HashMap<>();

        /** A skill, by its name and version here. */
        private record Skill(
                String id,
                String name,
                String version,
                @Nullable String parent) {}

        Reading(SourceDatabase database, Destination to, String of) {
            this.database = database;
            this.to = to;
            this.of = of;
        }

        void read() throws SQLException, IOException, InterruptedException {
            tools();
            skills();
            agents();
            memory();
            to.notTaken("workflows", "Parley has no workflows yet", count("wf_definition_t"));
            to.notTaken(
                    "workflows",
                    "running processes and tasks: Parley has no workflows yet",
                    count("process_info_t") + count("task_info_t"));
            to.notTaken("worklists", "Parley has no worklists", count("worklist_t"));
            to.notTaken("reflections", "banks make their own", count("agent_memory_reflection_t"));
            to.notTaken("audit", "what was done there stays there", count("audit_log_t"));
        }

        /** How many rows of the host a table has; 0 where it is missing. */
        private long count(String table) throws SQLException, IOException, InterruptedException {
            var rows = new long[1];
            if (database.has(table)) {
                String sql = "SELECT count(*) AS n FROM " + table + " WHERE " + database.as("host_id") + " = ?";
                database.each(sql, row -> rows[0] = row.number("n"), of);
            }
            return rows[0];
        }

        /**
         * Reads the active rows of the host; none where the table is missing.
         *
         * @param needed columns, as for {@link SourceDatabase#select}
         * @param rest more conditions and the order
         */
        private void rows(
                String table, String needed, String optional, String rest, RowReader reader, Object... arguments)
                throws SQLException, IOException, InterruptedException {
            if (database.has(table)) {
                String sql = database.select(table, needed, optional + ", active") + "WHERE " + database.as("host_id")
                        + " = ? AND (active IS NULL OR active = " + database.yes() + ") " + rest;
                database.each(
                        sql,
                        reader,
                        Stream.concat(Stream.of(of), Stream.of(arguments)).toArray());
            }
        }

        /** A condition on an id, with a parameter. */
        private String and(String column) throws SQLException {
            return "AND " + database.as(column) + " = ? ";
        }

        // ---- tools

        private void tools() throws SQLException, IOException, InterruptedException {
            rows(
                    "tool_t",
                    "tool_id, name, description",
                    "implementation_type, implementation_class, mcp_server_name, api_endpoint, api_method, endpoint_id,"
                            + " script_content, response_schema, version",
                    "ORDER BY name, version, tool_id",
                    this::tool);
        }

        private void tool(Row row) throws SQLException, IOException, InterruptedException {
            String name = row.string("name");
            ObjectNode body = Json.object().put("name", Names.tool(name)).put("version", version(row));
            body.put("description", to.description("tools", name, row.text("description")));
            String problem = implement(row, body, name);
            if (problem != null) {
                to.notTaken("tools", problem, name);
                return;
            }
            if (row.text("endpoint_id") != null) {
                to.note(
                        "tools",
                        "who may use its endpoint is not taken: allow it with rules, or make an endpoint (docs/tools/rest.md)",
                        name);
            }
            if (Json.read(row.text("response_schema")) instanceof ObjectNode schema && !schema.isEmpty()) {
                body.set("responseSchema", schema);
            }
            parameters(row.string("tool_id"), body.putArray("parameters"));
            to.renamed("tools", name, body.path("name").asText());
            tools.put(row.string("tool_id"), body.path("name").asText());
            to.define(Kind.TOOLS, body);
        }

        /** Adds the implementation. @return why the tool cannot be imported, or null */
        private @Nullable String implement(Row row, ObjectNode body, String name) throws SQLException {
            String type = row.string("implementation_type");
            ObjectNode implementation = body.putObject("implementation");
            body.put("type", type);
            return switch (type) {
                case "rest" -> {
                    implementation.put("url", row.string("api_endpoint"));
                    Json.put(implementation, "method", row.text("api_method"));
                    yield null;
                }
                case "python", "javascript" -> {
                    implementation.put("script", row.string("script_content"));
                    body.put("enabled", false);
                    to.note("tools", IrisSource.SCRIPT, name);
                    yield null;
                }
                case "mcp_server" ->
                    "it names an MCP server without its address: define it with POST /v1/projects/{project}/mcp-tools";
                case "java" -> "it is a class of Light-Fabric: write it as a plug-in (docs/tools/plugins.md)";
                default -> "its implementation_type is none of rest, python, javascript, mcp_server and java";
            };
        }

        private void parameters(String tool, ArrayNode parameters)
                throws SQLException, IOException, InterruptedException {
            rows(
                    "tool_param_t",
                    "tool_id, name, param_type",
                    "required, default_value, description, validation_schema, order_index",
                    and("tool_id") + "ORDER BY order_index, name",
                    row -> {
                        ObjectNode one = parameters
                                .addObject()
                                .put("name", row.string("name"))
                                .put("type", row.string("param_type"));
                        one.put("required", row.is("required", true));
                        JsonNode otherwise = Json.read(row.text("default_value"));
                        if (!otherwise.isMissingNode() && !otherwise.isNull()) {
                            one.set("defaultValue", otherwise);
                            one.put("required", false);
                        }
                        Json.put(one, "description", row.text("description"));
                        if (Json.read(row.text("validation_schema")) instanceof ObjectNode more && !more.isEmpty()) {
                            one.set("validation", more);
                        }
                    },
                    tool);
        }

        // ---- skills

        private void skills() throws SQLException, IOException, InterruptedException {
            rows("skill_t", "skill_id, name", "parent_skill_id, version", "ORDER BY name, version, skill_id", row -> {
                String id = row.string("skill_id");
                skills.put(
                        id, new Skill(id, Names.skill(row.string("name")), version(row), row.text("parent_skill_id")));
            });
            var done = new LinkedHashSet<String>();
            for (String id : List.copyOf(skills.keySet())) {
                skill(id, done);
            }
        }

        /** What a skill names comes before it; circles are found by the server. */
        private void skill(@Nullable String id, Set<String> done)
                throws SQLException, IOException, InterruptedException {
            Skill skill = id == null ? null : skills.get(id);
            if (skill == null || !done.add(skill.id())) {
                return;
            }
            skill(skill.parent(), done);
            Map<String, Boolean> needs = needs(skill.id());
            for (String need : needs.keySet()) {
                skill(need, done);
            }
            var bodies = new ArrayList<ObjectNode>();
            rows(
                    "skill_t",
                    "skill_id, name, content_markdown",
                    "description",
                    and("skill_id"),
                    row -> bodies.add(body(skill, row, needs)),
                    skill.id());
            for (ObjectNode body : bodies) {
                tools(skill.id(), body);
                to.define(Kind.SKILLS, body);
            }
        }

        private ObjectNode body(Skill skill, Row row, Map<String, Boolean> needs) throws SQLException {
            String name = row.string("name");
            to.renamed("skills", name, skill.name());
            ObjectNode body = Json.object().put("name", skill.name()).put("version", skill.version());
            body.put("description", to.description("skills", name, row.text("description")));
            body.put("text", row.string("content_markdown"));
            Skill parent = skill.parent() == null ? null : skills.get(skill.parent());
            if (parent != null && !parent.name().equals(skill.name())) {
                body.put("parent", parent.name());
            }
            needs.forEach((id, required) -> {
                Skill need = skills.get(id);
                if (need != null && !need.name().equals(skill.name())) {
                    body.withArray("needs")
                            .addObject()
                            .put("skill", need.name())
                            .put("required", required);
                }
            });
            return body;
        }

        private Map<String, Boolean> needs(String skill) throws SQLException, IOException, InterruptedException {
            var needs = new LinkedHashMap<String, Boolean>();
            rows(
                    "skill_dependency_t",
                    "skill_id, depends_on_skill_id",
                    "required",
                    and("skill_id") + "ORDER BY depends_on_skill_id",
                    row -> needs.put(row.string("depends_on_skill_id"), row.is("required", true)),
                    skill);
            return needs;
        }

        private void tools(String skill, ObjectNode body) throws SQLException, IOException, InterruptedException {
            rows(
                    "skill_tool_t",
                    "skill_id, tool_id",
                    "config, access_level",
                    and("skill_id") + "ORDER BY tool_id",
                    row -> {
                        String tool = tools.get(row.string("tool_id"));
                        if (tool == null) {
                            to.note(
                                    "skills",
                                    "a tool of it is not taken",
                                    body.path("name").asText());
                            return;
                        }
                        ObjectNode link = body.withArray("tools").addObject().put("tool", tool);
                        Json.put(link, "access", row.text("access_level"));
                        if (!Json.read(row.text("config")).isEmpty()) {
                            to.note(
                                    "skills",
                                    "what it configures of its tools is not taken: see 'arguments' in docs/skills.md",
                                    body.path("name").asText());
                        }
                    },
                    skill);
        }

        // ---- agents

        private void agents() throws SQLException, IOException, InterruptedException {
            rows(
                    "agent_definition_t",
                    "agent_def_id, agent_name, model_provider, model_name",
                    "api_key_ref, temperature, max_tokens",
                    "ORDER BY agent_name",
                    row -> {
                        String name = row.string("agent_name");
                        ObjectNode body = Json.object().put("name", Names.agent(name));
                        body.put(
                                "model",
                                row.string("model_provider").toLowerCase(Locale.ROOT) + "/" + row.string("model_name"));
                        body.put("temperature", row.decimal("temperature"));
                        if (row.number("max_tokens") > 0) {
                            body.put("maxTokens", row.number("max_tokens"));
                        }
                        to.renamed("agents", name, body.path("name").asText());
                        agents.put(row.string("agent_def_id"), body.path("name").asText());
                        if (row.text("api_key_ref") != null) {
                            to.notTaken(
                                    "credentials", "secrets are not taken: set anew with POST /v1/credentials", name);
                        }
                        agentSkills(row.string("agent_def_id"), body);
                        to.define(Kind.AGENTS, body);
                    });
        }

        private void agentSkills(String agent, ObjectNode body) throws SQLException, IOException, InterruptedException {
            rows(
                    "agent_skill_t",
                    "agent_def_id, skill_id",
                    "config, priority, sequence_id",
                    and("agent_def_id") + "ORDER BY sequence_id, skill_id",
                    row -> {
                        Skill skill = skills.get(row.string("skill_id"));
                        if (skill == null) {
                            to.note(
                                    "agents",
                                    "a skill of it is not taken",
                                    body.path("name").asText());
                            return;
                        }
                        ObjectNode one = body.withArray("skills")
                                .addObject()
                                .put("name", skill.name())
                                .put("version", skill.version());
                        one.put("priority", row.number("priority"));
                        if (Json.read(row.text("config")) instanceof ObjectNode config && !config.isEmpty()) {
                            one.set("config", config);
                        }
                    },
                    agent);
        }

        // ---- memory and sessions

        private void memory() throws SQLException, IOException, InterruptedException {
            rows(
                    "agent_memory_bank_t",
                    "bank_id, bank_name",
                    "agent_def_id, user_id, disposition, background",
                    "ORDER BY bank_id",
                    this::bank);
        }

        private void bank(Row row) throws SQLException, IOException, InterruptedException {
            String id = row.string("bank_id");
            String person = row.text("user_id");
            String agent = row.text("agent_def_id") == null ? null : agents.get(row.string("agent_def_id"));
            boolean isOthers = person != null && !person.equals(user);
            if (isOthers) {
                to.notTaken("banks", "it is a person's, with its sessions: import with --user, and their key", id);
                return;
            }
            if (row.text("agent_def_id") != null && agent == null) {
                to.notTaken("banks", "its agent is not taken", id);
                return;
            }
            String scope = person == null ? (agent == null ? "host" : "agent") : agent == null ? "user" : "user_agent";
            Bank bank = new Bank(scope, agent, profile(row));
            documents(id, bank);
            units(id, bank);
            directives(id, bank);
            sessions(id, agent);
        }

        private ObjectNode profile(Row row) throws SQLException {
            ObjectNode profile = Json.object().put("name", row.string("bank_name"));
            JsonNode disposition = Json.read(row.text("disposition"));
            for (String trait : List.of("skepticism", "literalism", "empathy")) {
                profile.put(trait, Math.clamp(disposition.path(trait).asInt(3), 1, 5));
            }
            Json.put(profile, "background", row.text("background"));
            return profile;
        }

        private void documents(String bank, Bank own) throws SQLException, IOException, InterruptedException {
            rows(
                    "agent_memory_doc_t",
                    "doc_id, bank_id",
                    "original_text, update_ts",
                    and("bank_id") + "ORDER BY update_ts, doc_id",
                    row -> {
                        String text = row.text("original_text");
                        if (text != null && !text.isBlank()) {
                            ObjectNode document = Json.object()
                                    .put("id", "light-fabric:" + row.string("doc_id"))
                                    .put("text", text);
                            time(document, row.text("update_ts"));
                            to.document(own, document);
                        }
                    },
                    bank);
        }

        /** Facts whose document is there are found in it anew; those without one are documents of their own. */
        private void units(String bank, Bank own) throws SQLException, IOException, InterruptedException {
            String withText = database.has("agent_memory_doc_t")
                    ? "AND NOT EXISTS (SELECT 1 FROM agent_memory_doc_t d WHERE d.host_id = agent_memory_unit_t.host_id"
                            + " AND d.bank_id = agent_memory_unit_t.bank_id AND d.doc_id = agent_memory_unit_t.doc_id"
                            + " AND d.original_text IS NOT NULL AND d.original_text <> '') "
                    : "";
            rows(
                    "agent_memory_unit_t",
                    "unit_id, bank_id, content",
                    "doc_id, context, event_date, mentioned_at, fact_type",
                    and("bank_id") + withText + "ORDER BY event_date, unit_id",
                    row -> unit(row, own),
                    bank);
        }

        private void unit(Row row, Bank own) throws SQLException, IOException, InterruptedException {
            String type = row.text("fact_type") == null ? "world" : row.string("fact_type");
            if (type.equals("observation") || type.equals("mental_model")) {
                to.notTaken(
                        "units",
                        "observations and mental models: banks make their own of the facts",
                        row.string("unit_id"));
                return;
            }
            ObjectNode document = Json.object().put("id", "light-fabric:unit:" + row.string("unit_id"));
            ObjectNode saying = document.putArray("sayings").addObject();
            saying.put("role", type.equals("world") ? "user" : "assistant").put("text", row.string("content"));
            document.putArray("tags").add("light-fabric:" + type);
            String context = row.text("context");
            Json.put(document, "context", context == null ? null : Names.clipped(context, MAX_CONTEXT));
            time(document, row.text("mentioned_at") == null ? row.text("event_date") : row.text("mentioned_at"));
            to.document(own, document);
        }

        private void directives(String bank, Bank own) throws SQLException, IOException, InterruptedException {
            rows(
                    "agent_memory_directive_t",
                    "bank_id, name, content",
                    "priority",
                    and("bank_id") + "ORDER BY name",
                    row -> to.directive(own, row.string("name"), row.string("content"), (int) row.number("priority")),
                    bank);
        }

        private void sessions(String bank, @Nullable String agent)
                throws SQLException, IOException, InterruptedException {
            rows(
                    "agent_session_history_t",
                    "session_id, bank_id, messages",
                    "metadata",
                    and("bank_id") + "ORDER BY session_id",
                    row -> session(row, agent),
                    bank);
        }

        private void session(Row row, @Nullable String agent) throws SQLException, IOException, InterruptedException {
            String id = row.string("session_id");
            JsonNode messages = Json.read(row.text("messages"));
            if (!messages.isArray()) {
                to.notTaken("sessions", "its messages are no JSON array", id);
                return;
            }
            var history = new History(1);
            long number = 0;
            for (JsonNode message : messages) {
                if (message instanceof ObjectNode object) {
                    history.add(number++, object, object.path("role").asText().equals("user"));
                } else {
                    to.notTaken("messages", "it is no JSON object", id);
                }
            }
            to.notTaken(
                    "messages", "older than what a session has room for (1 MiB, 10,000 messages)", history.dropped());
            String title = Json.read(row.text("metadata")).path("title").asText(null);
            to.conversation(new Conversation(
                    "light-fabric:" + Names.session(id), title, agent, false, "openai", history.messages(), List.of()));
        }

        // ---- what all have

        private String version(Row row) throws SQLException {
            return Objects.requireNonNullElse(row.text("version"), "1.0.0");
        }
    }

    private static void time(ObjectNode document, @Nullable String text) {
        try {
            Instant time =
                    text == null ? null : OffsetDateTime.parse(text, TIME).toInstant();
            Json.put(document, "mentionedAt", time == null ? null : time.toString());
        } catch (DateTimeParseException e) {
            document.remove("mentionedAt"); // as if nobody had said when
        }
    }
}
