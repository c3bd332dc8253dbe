package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.SourceDatabase.Row;
import dev.parley.language.text.Clip;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * ikigai: a Postgres database of agents and their messages. A forked agent inherits the messages of its parent up to
 * the fork; {@code clear}, {@code rewind} and {@code interrupted} drop earlier messages, as in ikigai.
 */
record IkigaiSource(Supplier<SourceDatabase> open) implements ImportSource {
    private static final String MESSAGES = "id, kind, content, data";

    /**
     * An agent.
     *
     * @param forkedAt the last row of its parent before the fork
     */
    private record Agent(
            String id, @Nullable String name, @Nullable String parent, long forkedAt, boolean running, Author author) {}

    /** The provider and model of an agent, as far as they are known. */
    private record Author(
            @Nullable String provider, @Nullable String model) {
        static final Author UNKNOWN = new Author(null, null);

        /** A row with an item that they wrote. */
        ObjectNode row(ObjectNode item) {
            ObjectNode data = SourceJson.object();
            SourceJson.put(data, "provider", provider);
            SourceJson.put(data, "model", model);
            data.set("item", item);
            return SourceJson.row("reasoning", data);
        }
    }

    @Override
    public String system() {
        return "ikigai";
    }

    @Override
    public void read(Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = open.get()) {
            database.select("messages", MESSAGES + ", session_id", ""); // fails for other databases
            boolean hasAgents = database.has("agents");
            if (hasAgents) {
                agents(database, to);
            }
            sessionsWithoutAgent(
                    database, hasAgents && database.columns("messages").contains("agent_uuid"), to);
            to.skip("mail", "Parley has no mail between agents", database.countOf("mail"));
            to.skip(
                    "summaries",
                    "all that they stand for is taken, and Parley makes its own",
                    database.countOf("session_summaries"));
        }
    }

    private static void agents(SourceDatabase database, Destination to)
            throws SQLException, IOException, InterruptedException {
        var agents = new HashMap<String, Agent>();
        var order = new ArrayList<String>();
        String select = database.select(
                "agents", "uuid, name, parent_uuid, fork_message_id, status", "created_at, provider, model");
        database.each(select + "ORDER BY created_at, uuid", row -> {
            String id = row.string("uuid");
            boolean running = row.string("status").equals("running");
            order.add(id);
            agents.put(
                    id,
                    new Agent(
                            id,
                            row.text("name"),
                            row.text("parent_uuid"),
                            row.number("fork_message_id"),
                            running,
                            new Author(row.text("provider"), row.text("model"))));
        });
        for (String id : order) {
            agent(database, agents, agents.get(id), to);
        }
    }

    private static void agent(SourceDatabase database, Map<String, Agent> agents, @Nullable Agent agent, Destination to)
            throws SQLException, IOException, InterruptedException {
        if (agent == null) {
            return;
        }
        History history = history(database, lineage(agents, agent), agent.id(), to);
        to.skipDropped(history);
        to.conversation(new Destination.Conversation(
                "ikigai:" + ImportedNames.session(agent.id()),
                agent.name(),
                null,
                !agent.running(),
                "rows",
                history.messages(),
                List.of()));
    }

    /** The agent with its ancestors, the root first. */
    private static List<Agent> lineage(Map<String, Agent> agents, Agent agent) {
        var lineage = new ArrayList<Agent>();
        var seen = new HashSet<String>();
        for (Agent next = agent;
                next != null && seen.add(next.id());
                next = next.parent() == null ? null : agents.get(next.parent())) {
            lineage.addFirst(next);
        }
        return lineage;
    }

    /** The messages of the last agent of a lineage, with those before each fork. */
    private static History history(SourceDatabase database, List<Agent> lineage, String location, Destination to)
            throws SQLException, IOException, InterruptedException {
        String sql = database.select("messages", MESSAGES, "") + "WHERE agent_uuid = ? AND id <= ? ORDER BY id";
        var history = new History(1);
        for (int i = 0; i < lineage.size(); i++) {
            long last = i + 1 < lineage.size() ? lineage.get(i + 1).forkedAt() : Long.MAX_VALUE;
            Author author = lineage.get(i).author();
            database.each(
                    sql,
                    row -> message(row, author, location, history, to),
                    lineage.get(i).id(),
                    last);
        }
        return history;
    }

    /** Sessions of versions without agents. */
    private static void sessionsWithoutAgent(SourceDatabase database, boolean hasAgents, Destination to)
            throws SQLException, IOException, InterruptedException {
        String noAgent = hasAgents ? "agent_uuid IS NULL" : "1 = 1";
        var sessions = new ArrayList<Long>();
        database.each(
                "SELECT DISTINCT session_id FROM messages WHERE " + noAgent + " ORDER BY session_id",
                row -> sessions.add(row.number("session_id")));
        String sql = database.select("messages", MESSAGES, "") + "WHERE session_id = ? AND " + noAgent + " ORDER BY id";
        for (long session : sessions) {
            var history = new History(1);
            database.each(sql, row -> message(row, Author.UNKNOWN, "session " + session, history, to), session);
            if (!history.isEmpty()) {
                to.conversation(new Destination.Conversation(
                        "ikigai:session-" + session, null, null, false, "rows", history.messages(), List.of()));
            }
        }
    }

    private static void message(Row row, Author author, String location, History history, Destination to)
            throws SQLException {
        long id = row.number("id");
        String place = location + " row " + id;
        String kind = row.string("kind");
        String text = row.string("content");
        switch (kind) {
            case "user", "assistant" -> {
                if (!text.isBlank()) {
                    history.add(id, SourceJson.object().put("kind", kind).put("text", text), kind.equals("user"));
                }
            }
            case "clear" -> history.clear();
            case "interrupted" -> history.dropLastTurn();
            case "rewind" ->
                history.rewindTo(SourceJson.read(row.text("data"))
                        .path("target_message_id")
                        .asLong(Long.MAX_VALUE));
            case "tool_call", "tool_result", "tool" -> toolRows(row, kind, history, author);
            case "system", "mark", "command", "fork", "agent_killed", "usage" -> {} // not part of model calls
            default -> to.skip("messages", "its kind '" + Clip.start(kind, 40) + "' is not known", place);
        }
    }

    private static void toolRows(Row row, String kind, History history, Author author) throws SQLException {
        long id = row.number("id");
        JsonNode data = SourceJson.read(row.text("data"));
        if (kind.equals("tool_call")) {
            reasoning(data, author).forEach(item -> history.add(id, item, false));
        }
        history.add(id, SourceJson.row(kind, toolData(kind, data)), false);
    }

    /** The reasoning before a call, in the form of Anthropic's API if its model signed it. */
    private static List<ObjectNode> reasoning(JsonNode call, Author author) {
        var rows = new ArrayList<ObjectNode>();
        JsonNode thinking = call.path("thinking");
        if (thinking.hasNonNull("signature")) {
            rows.add(author.row(SourceJson.object()
                    .put("type", "thinking")
                    .put("thinking", thinking.path("text").asText())
                    .put("signature", thinking.path("signature").asText())));
        } else if (thinking.hasNonNull("text")) {
            rows.add(SourceJson.object()
                    .put("kind", "reasoning")
                    .put("text", thinking.path("text").asText()));
        }
        JsonNode redacted = call.path("redacted_thinking");
        if (redacted.hasNonNull("data")) {
            rows.add(author.row(SourceJson.object()
                    .put("type", "redacted_thinking")
                    .put("data", redacted.path("data").asText())));
        }
        return rows;
    }

    /** A call or result with Parley's field names; the server reports missing fields. */
    private static ObjectNode toolData(String kind, JsonNode data) {
        ObjectNode renamed = SourceJson.object();
        if (kind.equals("tool_call")) {
            put(renamed, "id", data, "tool_call_id", "id");
            put(renamed, "name", data, "tool_name", "name");
            put(renamed, "arguments", data, "tool_args", "arguments");
        } else {
            put(renamed, "tool_call_id", data, "tool_call_id", "id");
            put(renamed, "output", data, "output", "content");
            put(renamed, "success", data, "success");
        }
        return renamed;
    }

    private static void put(ObjectNode to, String name, JsonNode from, String... fields) {
        JsonNode value = SourceJson.first(from, fields);
        if (!value.isMissingNode()) {
            to.set(name, value);
        }
    }
}
