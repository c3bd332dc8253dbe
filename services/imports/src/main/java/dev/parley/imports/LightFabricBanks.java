package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.Destination.Bank;
import dev.parley.imports.Destination.Conversation;
import dev.parley.imports.SourceDatabase.Row;
import dev.parley.language.text.Clip;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory banks of a host of Light-Fabric, with their sessions.
 *
 * @param definitions those imported before
 * @param user whose banks become the caller's, or null for none
 */
record LightFabricBanks(
        LightFabricRows rows,
        Destination to,
        LightFabricDefinitions definitions,
        @Nullable String user) {
    private static final int MAX_CONTEXT = 2_000;
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendOffset("+HH:mm", "Z")
            .toFormatter();

    void read() throws SQLException, IOException, InterruptedException {
        rows.each(
                "agent_memory_bank_t",
                "bank_id, bank_name",
                "agent_def_id, user_id, disposition, background",
                "ORDER BY bank_id",
                this::bank);
    }

    private void bank(Row row) throws SQLException, IOException, InterruptedException {
        String id = row.string("bank_id");
        String person = row.text("user_id");
        String agent = definitions.agent(row.text("agent_def_id"));
        if (person != null && !person.equals(user)) {
            to.skip("banks", "it is a person's, with its sessions: import with --user, and their key", id);
            return;
        }
        if (row.text("agent_def_id") != null && agent == null) {
            to.skip("banks", "its agent is not taken", id);
            return;
        }
        Bank bank = new Bank(scope(person, agent), agent, profile(row));
        documents(id, bank);
        units(id, bank);
        directives(id, bank);
        sessions(id, agent);
    }

    private static String scope(@Nullable String person, @Nullable String agent) {
        if (person == null) {
            return agent == null ? "host" : "agent";
        }
        return agent == null ? "user" : "user_agent";
    }

    private static ObjectNode profile(Row row) throws SQLException {
        ObjectNode profile = SourceJson.object().put("name", row.string("bank_name"));
        JsonNode disposition = SourceJson.read(row.text("disposition"));
        for (String trait : List.of("skepticism", "literalism", "empathy")) {
            profile.put(trait, Math.clamp(disposition.path(trait).asInt(3), 1, 5));
        }
        SourceJson.put(profile, "background", row.text("background"));
        return profile;
    }

    private void documents(String id, Bank bank) throws SQLException, IOException, InterruptedException {
        rows.each(
                "agent_memory_doc_t",
                "doc_id, bank_id",
                "original_text, update_ts",
                rows.and("bank_id") + "ORDER BY update_ts, doc_id",
                row -> document(row, bank),
                id);
    }

    private void document(Row row, Bank bank) throws SQLException, IOException, InterruptedException {
        String text = row.text("original_text");
        if (text != null && !text.isBlank()) {
            ObjectNode document = SourceJson.object()
                    .put("id", "light-fabric:" + row.string("doc_id"))
                    .put("text", text);
            putTime(document, row.text("update_ts"));
            to.document(bank, document);
        }
    }

    /** Writes facts without a document as separate documents; other facts are extracted again from their document. */
    private void units(String id, Bank bank) throws SQLException, IOException, InterruptedException {
        String withoutDocument = rows.has("agent_memory_doc_t")
                ? "AND NOT EXISTS (SELECT 1 FROM agent_memory_doc_t d WHERE d.host_id = agent_memory_unit_t.host_id"
                        + " AND d.bank_id = agent_memory_unit_t.bank_id AND d.doc_id = agent_memory_unit_t.doc_id"
                        + " AND d.original_text IS NOT NULL AND d.original_text <> '') "
                : "";
        rows.each(
                "agent_memory_unit_t",
                "unit_id, bank_id, content",
                "doc_id, context, event_date, mentioned_at, fact_type",
                rows.and("bank_id") + withoutDocument + "ORDER BY event_date, unit_id",
                row -> unit(row, bank),
                id);
    }

    private void unit(Row row, Bank bank) throws SQLException, IOException, InterruptedException {
        String type = row.text("fact_type") == null ? "world" : row.string("fact_type");
        if (type.equals("observation") || type.equals("mental_model")) {
            to.skip(
                    "units",
                    "observations and mental models: banks make their own of the facts",
                    row.string("unit_id"));
            return;
        }
        ObjectNode document = SourceJson.object().put("id", "light-fabric:unit:" + row.string("unit_id"));
        ObjectNode saying = document.putArray("sayings").addObject();
        saying.put("role", type.equals("world") ? "user" : "assistant").put("text", row.string("content"));
        document.putArray("tags").add("light-fabric:" + type);
        String context = row.text("context");
        SourceJson.put(document, "context", context == null ? null : Clip.start(context, MAX_CONTEXT));
        putTime(document, row.text("mentioned_at") == null ? row.text("event_date") : row.text("mentioned_at"));
        to.document(bank, document);
    }

    private void directives(String id, Bank bank) throws SQLException, IOException, InterruptedException {
        rows.each(
                "agent_memory_directive_t",
                "bank_id, name, content",
                "priority",
                rows.and("bank_id") + "ORDER BY name",
                row -> to.directive(bank, row.string("name"), row.string("content"), (int) row.number("priority")),
                id);
    }

    private void sessions(String id, @Nullable String agent) throws SQLException, IOException, InterruptedException {
        rows.each(
                "agent_session_history_t",
                "session_id, bank_id, messages",
                "metadata",
                rows.and("bank_id") + "ORDER BY session_id",
                row -> session(row, agent),
                id);
    }

    private void session(Row row, @Nullable String agent) throws SQLException, IOException, InterruptedException {
        String id = row.string("session_id");
        JsonNode messages = SourceJson.read(row.text("messages"));
        if (!messages.isArray()) {
            to.skip("sessions", "its messages are not a JSON array", id);
            return;
        }
        History history = history(id, messages);
        to.skipDropped(history);
        String title = SourceJson.read(row.text("metadata")).path("title").asText(null);
        to.conversation(new Conversation(
                "light-fabric:" + ImportedNames.session(id),
                title,
                agent,
                false,
                "openai",
                history.messages(),
                List.of()));
    }

    private History history(String session, JsonNode messages) {
        var history = new History(1);
        long number = 0;
        for (JsonNode message : messages) {
            if (message instanceof ObjectNode object) {
                history.add(number++, object, object.path("role").asText().equals("user"));
            } else {
                to.skip("messages", "it is not a JSON object", session);
            }
        }
        return history;
    }

    private static void putTime(ObjectNode document, @Nullable String text) {
        try {
            Instant time =
                    text == null ? null : OffsetDateTime.parse(text, TIME).toInstant();
            SourceJson.put(document, "mentionedAt", time == null ? null : time.toString());
        } catch (DateTimeParseException e) {
            document.remove("mentionedAt"); // a time in an unknown format is omitted
        }
    }
}
