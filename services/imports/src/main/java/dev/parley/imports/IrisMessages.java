package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.SourceDatabase.Row;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The messages of an Iris session, read part by part. */
final class IrisMessages {
    private final String session;
    private final History history;
    private final Destination to;
    private final StringBuilder text = new StringBuilder();
    private String role = "";
    private String message = "";
    private long number;

    IrisMessages(String session, History history, Destination to) {
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
                + " FROM messages m JOIN message_parts p ON p.message_id = m.id WHERE m.session_id = ? ORDER BY m.id,"
                + " p.id";
        database.each(sql, this::part, session);
        flushText();
    }

    private void part(Row row) throws SQLException {
        if (!row.string("id").equals(message)) {
            flushText();
            message = row.string("id");
            role = row.string("role");
        }
        JsonNode content = SourceJson.read(row.text("content"));
        if (content.isMissingNode()) {
            to.skip("parts", "its content is not valid JSON", session + " " + message);
        } else {
            addPart(row, content);
        }
    }

    private void addPart(Row row, JsonNode content) throws SQLException {
        switch (row.string("type")) {
            case "text" -> text.append(text.isEmpty() ? "" : "\n").append(text(content));
            case "tool" -> {
                call(row, content);
                result(row, content, null);
            }
            case "tool-call" -> call(row, content);
            case "tool-result" -> result(row, content, content);
            case "reasoning" -> reasoning(text(content));
            case "file" -> to.skip("parts", "a file that was sent: its bytes are not in the database", session);
            case "step-start", "step-finish", "patch" -> {} // not part of model calls
            default -> to.skip("parts", "its type is not known", session + " " + row.string("type"));
        }
    }

    private static String text(JsonNode content) {
        return content.isTextual() ? content.asText() : content.path("text").asText();
    }

    private void call(Row row, JsonNode content) throws SQLException {
        ObjectNode data =
                SourceJson.object().put("id", row.string("tool_call_id")).put("name", row.string("tool_name"));
        JsonNode arguments = SourceJson.first(content, "args", "input", "arguments");
        data.set("arguments", arguments.isMissingNode() ? SourceJson.object() : arguments);
        add("tool_call", data);
    }

    /** @param fallback the output where the content has none, or null for no result then */
    private void result(Row row, JsonNode content, @Nullable JsonNode fallback) throws SQLException {
        JsonNode found = SourceJson.first(content, "result", "output", "error");
        JsonNode output = found.isMissingNode() ? fallback : found;
        if (output == null) {
            return;
        }
        ObjectNode data = SourceJson.object().put("tool_call_id", row.string("tool_call_id"));
        data.set("output", output);
        add("tool_result", data.put("success", !row.string("tool_status").equals("error")));
    }

    /** Reasoning without its signature, which Iris does not keep: people see it, and no model gets it. */
    private void reasoning(String thought) {
        flushText();
        if (!thought.isBlank()) {
            history.add(number++, SourceJson.object().put("kind", "reasoning").put("text", thought), false);
        }
    }

    private void add(String kind, ObjectNode data) {
        flushText();
        history.add(number++, SourceJson.row(kind, data), false);
    }

    /** Adds the text so far as a message. */
    private void flushText() {
        if (!text.toString().isBlank() && Set.of("user", "assistant").contains(role)) {
            history.add(
                    number++, SourceJson.object().put("kind", role).put("text", text.toString()), role.equals("user"));
        }
        text.setLength(0);
    }
}
