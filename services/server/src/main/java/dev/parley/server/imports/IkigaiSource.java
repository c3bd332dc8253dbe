package dev.parley.server.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.imports.SourceDatabase.Row;
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
 * ikigai: a Postgres database of agents and their messages. A forked agent inherits the messages of its parent up to the fork;
 * {@code clear}, {@code rewind} and {@code interrupted} drop earlier messages, as they do there.
 */
record IkigaiSource(Supplier<SourceDatabase> open) implements Source {
    private static final String MESSAGES = "id, kind, content, data";

    /** An agent; {@code forkedAt} is the last row of its parent that it knows. */
    private record Agent(
            String id, @Nullable String name, @Nullable String parent, long forkedAt, boolean running) {}

    @Override
    public String system() {
        return "ikigai";
    }

    @Override
    public void read(Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = open.get()) {
            database.select("messages", MESSAGES + ", session_id", ""); // or it is no database of ikigai
            boolean hasAgents = database.has("agents");
            if (hasAgents) {
                agents(database, to);
            }
            withoutAgent(database, hasAgents && database.columns("messages").contains("agent_uuid"), to);
            to.notTaken("mail", "Parley has no mail between agents", database.countOf("mail"));
            to.notTaken(
                    "summaries",
                    "all that they stand for is taken, and Parley makes its own",
                    database.countOf("session_summaries"));
        }
    }

    private static void agents(SourceDatabase database, Destination to)
            throws SQLException, IOException, InterruptedException {
        var agents = new HashMap<String, Agent>();
        var order = new ArrayList<String>();
        String select = database.select("agents", "uuid, name, parent_uuid, fork_message_id, status", "created_at");
        database.each(select + "ORDER BY created_at, uuid", row -> {
            String id = row.string("uuid");
            boolean running = row.string("status").equals("running");
            order.add(id);
            agents.put(
                    id,
                    new Agent(id, row.text("name"), row.text("parent_uuid"), row.number("fork_message_id"), running));
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
        String sql = database.select("messages", MESSAGES, "") + "WHERE agent_uuid = ? AND id <= ? ORDER BY id";
        var history = new History(1);
        List<Agent> line = line(agents, agent);
        for (int i = 0; i < line.size(); i++) {
            long last = i + 1 < line.size() ? line.get(i + 1).forkedAt() : Long.MAX_VALUE;
            database.each(
                    sql,
                    row -> message(row, agent.id(), history, to),
                    line.get(i).id(),
                    last);
        }
        to.notTaken("messages", "older than what a session has room for (1 MiB, 10,000 messages)", history.dropped());
        to.conversation(new Destination.Conversation(
                "ikigai:" + Names.session(agent.id()),
                agent.name(),
                null,
                !agent.running(),
                "rows",
                history.messages(),
                List.of()));
    }

    /** An agent after those that it descends from, the first one first. */
    private static List<Agent> line(Map<String, Agent> agents, Agent agent) {
        var line = new ArrayList<Agent>();
        var seen = new HashSet<String>();
        for (Agent one = agent;
                one != null && seen.add(one.id());
                one = one.parent() == null ? null : agents.get(one.parent())) {
            line.addFirst(one);
        }
        return line;
    }

    /** Rows of versions that had no agents yet belong to the session alone. */
    private static void withoutAgent(SourceDatabase database, boolean hasAgents, Destination to)
            throws SQLException, IOException, InterruptedException {
        String nobody = hasAgents ? "agent_uuid IS NULL" : "1 = 1";
        var sessions = new ArrayList<Long>();
        database.each(
                "SELECT DISTINCT session_id FROM messages WHERE " + nobody + " ORDER BY session_id",
                row -> sessions.add(row.number("session_id")));
        String sql = database.select("messages", MESSAGES, "") + "WHERE session_id = ? AND " + nobody + " ORDER BY id";
        for (long session : sessions) {
            var history = new History(1);
            database.each(sql, row -> message(row, "session " + session, history, to), session);
            if (!history.isEmpty()) {
                to.conversation(new Destination.Conversation(
                        "ikigai:session-" + session, null, null, false, "rows", history.messages(), List.of()));
            }
        }
    }

    private static void message(Row row, String where, History history, Destination to) throws SQLException {
        long id = row.number("id");
        String kind = row.string("kind");
        String text = row.string("content");
        switch (kind) {
            case "user", "assistant" -> {
                if (!text.isBlank()) {
                    history.add(id, Json.object().put("kind", kind).put("text", text), kind.equals("user"));
                }
            }
            case "clear" -> history.clear();
            case "interrupted" -> history.dropLastTurn();
            case "rewind" -> {
                long target =
                        Json.read(row.text("data")).path("target_message_id").asLong(Long.MAX_VALUE);
                history.rewindTo(target);
            }
            case "tool_call", "tool_result", "tool" -> {
                ObjectNode data = toolData(kind, Json.read(row.text("data")));
                if (data.has("thinking")) {
                    to.notTaken(
                            "messages",
                            "reasoning before a call: rows of a conversation have no place for it",
                            where + " row " + id);
                    data.remove("thinking");
                }
                ObjectNode message = Json.object().put("kind", kind);
                message.set("data", data);
                history.add(id, message, false);
            }
            case "system", "mark", "command", "fork", "agent_killed", "usage" -> {} // never for a model
            default ->
                to.notTaken(
                        "messages", "its kind '" + Names.clipped(kind, 40) + "' is not known", where + " row " + id);
        }
    }

    /** The same with the names that Parley has for it; what is missing is found by the server, which names it. */
    private static ObjectNode toolData(String kind, JsonNode data) {
        ObjectNode named = Json.object();
        if (kind.equals("tool_call")) {
            put(named, "id", data, "tool_call_id", "id");
            put(named, "name", data, "tool_name", "name");
            put(named, "arguments", data, "tool_args", "arguments");
            if (data.hasNonNull("thinking") || data.hasNonNull("redacted_thinking")) {
                named.put("thinking", true);
            }
        } else {
            put(named, "tool_call_id", data, "tool_call_id", "id");
            put(named, "output", data, "output", "content");
            put(named, "success", data, "success", "success");
        }
        return named;
    }

    private static void put(ObjectNode to, String name, JsonNode from, String one, String other) {
        JsonNode value = from.hasNonNull(one) ? from.get(one) : from.path(other);
        if (!value.isMissingNode() && !value.isNull()) {
            to.set(name, value);
        }
    }
}
