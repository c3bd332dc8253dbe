package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.SourceDatabase.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pingu: {@code pingu.db}, with a row for each turn that holds a response of OpenAI's Responses API, or the form of
 * later versions. Session keys are those of Parley: of Telegram chats, and of delegates below them.
 */
record PinguSource(Path file) implements ImportSource {
    private static final String DELEGATE = ":delegate:";
    private static final Destination.Bank USER_BANK = new Destination.Bank("user", null, null);

    @Override
    public String system() {
        return "pingu";
    }

    @Override
    public void read(Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = SourceDatabase.sqlite("Pingu", file)) {
            String sessions = database.select("sessions", "id", "title, summary") + "ORDER BY id";
            String turns = database.select("turns", "id, session_id, user_message, response_json", "model")
                    + "WHERE session_id = ? ORDER BY id";
            database.each(sessions, row -> session(database, row, turns, to));
            if (database.has("memories")) {
                String memories = database.select("memories", "id, content", "category") + "ORDER BY id";
                database.each(memories, row -> memory(row, to));
            }
            to.skip(
                    "messages",
                    "rows of the table messages, which Pingu itself does not read",
                    database.countOf("messages"));
        }
    }

    private void session(SourceDatabase database, Row row, String turns, Destination to)
            throws SQLException, IOException, InterruptedException {
        String id = row.string("id");
        String key = key(database, id, to);
        var history = new History(2);
        database.each(turns, turn -> turn(turn, id, history, to), id);
        to.skipDropped(history);
        if (row.text("summary") != null) {
            to.note("sessions", "its summary is not needed: all of its turns are taken, and Parley makes its own", id);
        }
        to.conversation(new Destination.Conversation(
                key, row.text("title"), agent(key), false, "openai-responses", history.messages(), List.of()));
    }

    /** A delegate without its parent session gets another key, as lists of sessions do not show delegates. */
    private static String key(SourceDatabase database, String id, Destination to)
            throws SQLException, IOException, InterruptedException {
        String key = ImportedNames.session(id);
        int end = key.lastIndexOf(DELEGATE);
        var hasParent = new boolean[] {end <= 0}; // only delegates need one
        if (!hasParent[0]) {
            database.each("SELECT id FROM sessions WHERE id = ?", _ -> hasParent[0] = true, id.substring(0, end));
        }
        if (!hasParent[0]) {
            key = key.replace(DELEGATE, ":delegated:");
        }
        if (!key.equals(id)) {
            to.note("sessions", "it has another key here", id + " → " + key);
        }
        return key;
    }

    private static @Nullable String agent(String key) {
        int end = key.lastIndexOf(DELEGATE);
        return end < 0 ? null : ImportedNames.agent(key.substring(end + DELEGATE.length()));
    }

    private static void turn(Row row, String session, History history, Destination to) throws SQLException {
        long id = row.number("id");
        String message = row.string("user_message");
        if (!message.isBlank()) {
            history.add(id, SourceJson.object().put("role", "user").put("content", message), true);
        }
        ObjectNode response = response(row.string("response_json"), row.text("model"));
        if (response == null) {
            to.skip(
                    "turns",
                    "the answer is not the JSON of a response; what the person said is taken",
                    session + " turn " + id);
        } else if (!response.path("output").isEmpty()) {
            history.add(id, response, false);
        }
    }

    /** The response of the provider: later versions keep an item in {@code raw}, or only its text. */
    private static @Nullable ObjectNode response(String text, @Nullable String model) {
        JsonNode read = SourceJson.read(text);
        if (!read.path("output").isArray()) {
            return null;
        }
        ObjectNode response = SourceJson.object().put("object", "response");
        String name = read.path("model").asText(model == null ? "" : model);
        if (!name.isEmpty()) {
            response.put("model", name);
        }
        response.putArray("output");
        for (JsonNode item : read.path("output")) {
            JsonNode raw = item.path("raw");
            JsonNode output = raw.isObject() ? raw : item;
            if (output instanceof ObjectNode message
                    && message.path("type").asText().equals("message")) {
                output = message.deepCopy().put("role", "assistant");
            }
            response.withArray("output").add(output);
        }
        return response;
    }

    private static void memory(Row row, Destination to) throws SQLException, IOException, InterruptedException {
        String content = row.string("content");
        if (content.isBlank()) {
            return;
        }
        ObjectNode document = SourceJson.object()
                .put("id", "pingu:memory:" + row.number("id"))
                .put("text", content);
        document.putArray("tags").add("pingu").add("pingu:" + row.string("category"));
        to.document(USER_BANK, document);
    }
}
