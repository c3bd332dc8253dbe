package dev.parley.imports;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.Destination.Conversation;
import dev.parley.imports.SourceDatabase.Row;
import dev.parley.language.text.Clip;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sessions of an Iris project, with their messages, rules and todos. */
final class IrisSessions {
    private static final int MAX_TODO = 500;
    private static final int MAX_TODOS = 100;

    private final SourceDatabase database;
    private final Destination to;
    private final IrisRules rules;
    private final Map<String, String> keys = new HashMap<>();
    private final Set<String> delegateKeys = new HashSet<>();

    IrisSessions(SourceDatabase database, Destination to, IrisRules rules) {
        this.database = database;
        this.to = to;
        this.rules = rules;
    }

    void read() throws SQLException, IOException, InterruptedException {
        String sql = database.select(
                "sessions", "id, title", "parent_id, status, agent, permissions, share_secret, created_at");
        // Parents come before their children.
        database.each(sql + "ORDER BY created_at, id", this::session);
    }

    private void session(Row row) throws SQLException, IOException, InterruptedException {
        String id = row.string("id");
        if (row.string("status").equals("deleted")) {
            to.skip("sessions", "it was deleted in Iris", id);
            return;
        }
        String agent = ImportedNames.agent(row.text("agent") == null ? "default" : row.string("agent"));
        String key = key(id, row.text("parent_id"), agent);
        keys.put(id, key);
        if (row.text("share_secret") != null) {
            to.skip("shares", "links end with Iris: share it anew with POST …/sessions/{key}/share", id);
        }
        var history = new History(1);
        new IrisMessages(id, history, to).read(database);
        todos(id, history);
        to.skipDropped(history);
        List<ObjectNode> sessionRules = rules.parse(row.text("permissions"), "session " + id);
        sessionRules.addAll(rules.ofSession(id));
        boolean archived = row.string("status").equals("archived");
        to.conversation(
                new Conversation(key, row.text("title"), agent, archived, "rows", history.messages(), sessionRules));
    }

    /** The key of a session. The first child of an agent gets the key with which its parent continues it. */
    private String key(String id, @Nullable String parent, String agent) {
        String parentKey = parent == null ? null : keys.get(parent);
        if (parentKey == null) {
            if (parent != null) {
                to.note("sessions", "its parent is not taken: it stands alone", id);
            }
            return "iris:" + ImportedNames.session(id);
        }
        String delegate = parentKey + ":delegate:" + agent;
        return delegateKeys.add(delegate) ? delegate : delegate + "~" + ImportedNames.session(id);
    }

    /** Adds the todo list at the end as a call of the agent, so that both the session and its agent know it. */
    private void todos(String id, History history) throws SQLException, IOException, InterruptedException {
        boolean hasTasks = database.has("tasks");
        if (!hasTasks && !database.has("todos")) {
            return;
        }
        String content = hasTasks ? "title AS content" : "content";
        String sql = "SELECT " + content + ", active_form, status FROM " + (hasTasks ? "tasks" : "todos")
                + " WHERE session_id = ? ORDER BY position, id";
        ArrayNode todos = SourceJson.object().putArray("todos");
        database.each(sql, row -> todo(row, todos), id);
        if (todos.isEmpty()) {
            return;
        }
        ObjectNode call = SourceJson.object().put("id", "iris-todos").put("name", "todo_write");
        call.putObject("arguments").set("todos", todos);
        ObjectNode result =
                SourceJson.object().put("tool_call_id", "iris-todos").put("output", todos.size() + " todos");
        history.add(Long.MAX_VALUE, SourceJson.row("tool_call", call), false);
        history.add(Long.MAX_VALUE, SourceJson.row("tool_result", result), false);
    }

    private void todo(Row row, ArrayNode todos) throws SQLException {
        if (todos.size() == MAX_TODOS) {
            to.skip("todos", "a session has at most 100", 1);
            return;
        }
        String content = Clip.start(row.string("content").strip(), MAX_TODO);
        if (content.isEmpty()) {
            return;
        }
        String form = Clip.start(row.string("active_form").strip(), MAX_TODO);
        todos.addObject()
                .put("content", content)
                .put("activeForm", form.isEmpty() ? content : form)
                .put("status", status(row.string("status"), todos));
    }

    /** The status of the next todo: only one of a list is in progress. */
    private static String status(String status, ArrayNode todos) {
        boolean isSecond =
                status.equals("in_progress") && todos.findValuesAsText("status").contains("in_progress");
        return isSecond || !Set.of("in_progress", "completed").contains(status) ? "pending" : status;
    }
}
