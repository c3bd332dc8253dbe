package dev.parley.sessions.history;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a session's context back from the views, to show that they lose nothing: the same blocks, with their providers'
 * own items, in the order in which the model saw them. A message whose rows are broken is left out and counted; the
 * conversation goes on.
 */
public final class StoredMessages {
    private static final Logger LOG = LoggerFactory.getLogger(StoredMessages.class);

    private static final String MESSAGES = """
            SELECT m.message_id, m.turn_id, m.role, m.interrupted, m.provider_id, m.model_id,
                   CASE WHEN m.seq = 0 AND m.turn_id IS NOT NULL THEN t.start_position ELSE m.position END AS place, m.seq,
                   coalesce(t.start_position, m.position) AS start
            FROM sessions.agent_message_t m
            LEFT JOIN sessions.agent_turn_t t ON t.host_id = m.host_id AND t.turn_id = m.turn_id
            WHERE m.host_id = ? AND m.session_id = ? AND m.answered AND m.role <> 'system'
              AND (m.turn_id IS NULL OR t.start_position IS NOT NULL)
            ORDER BY place, m.seq
            """;

    private static final String PARTS = """
            SELECT p.message_id, p.kind, p.content->>'text' AS text, p.content->>'signature' AS signature,
                   p.content->>'data' AS data, p.content->>'id' AS id, p.content->>'name' AS name,
                   p.content->>'arguments' AS arguments, p.content->>'result' AS result, p.content->>'isError' AS is_error,
                   p.content->>'mimeType' AS mime_type, p.content->>'size' AS size, p.content->>'sha256' AS sha256,
                   p.content->>'transcript' AS transcript,
                   p.tool_status, p.executed_by, p.raw, p.raw_provider, p.item_type
            FROM sessions.agent_message_part_t p
            JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
            WHERE m.host_id = ? AND m.session_id = ? AND p.kind NOT IN ('step-start', 'step-finish', 'patch')
            ORDER BY p.message_id, p.idx
            """;

    private static final String EVENTS = """
            SELECT e.seq, e.kind, e.label, t.start_position
            FROM sessions.session_event_t e
            LEFT JOIN sessions.agent_turn_t t ON t.host_id = e.host_id AND t.session_id = e.session_id AND t.turn_seq = e.turn_seq
            WHERE e.host_id = ? AND e.session_id = ? ORDER BY e.seq
            """;

    private final Database database;
    private final Counter unreadable;

    public StoredMessages(Database database, MeterRegistry registry) {
        this.database = database;
        this.unreadable = registry.counter("history_unreadable");
    }

    private record Header(
            UUID id,
            @Nullable UUID turnId,
            String role,
            boolean interrupted,
            @Nullable String provider,
            @Nullable String model,
            long place,
            long start) {}

    private record Event(long seq, String kind, @Nullable String label, long start) {}

    /** A row of a part as it stands there, whatever is missing in it. */
    private record Stored(
            String kind,
            Map<String, @Nullable String> content,
            @Nullable String status,
            @Nullable String executedBy,
            @Nullable ProviderItem raw) {
        String text(String name) {
            String value = content.get(name);
            if (value == null) {
                throw new IllegalArgumentException("a " + kind + " part has no " + name);
            }
            return value;
        }
    }

    /** The context of a session as it is now; empty for one that is not known. */
    public Conversation read(UUID host, UUID sessionId) throws SQLException {
        try (Connection connection = database.reading(Tenant.of(host))) {
            var parts = parts(connection, host, sessionId);
            return replay(headers(connection, host, sessionId), parts, events(connection, host, sessionId));
        }
    }

    private Conversation replay(List<Header> headers, Map<UUID, List<Stored>> parts, List<Event> events) {
        var context = new Context();
        int broken = 0;
        int next = 0;
        for (Header header : headers) {
            // A fork's messages stand at the place of the event that made room for them.
            while (next < events.size() && events.get(next).seq() <= header.place()) {
                apply(context, events.get(next++));
            }
            try {
                messages(header, parts.getOrDefault(header.id(), List.of()))
                        .forEach(message -> context.add(header.start(), message));
            } catch (IllegalArgumentException e) {
                broken++;
                quarantine(header, e);
            }
        }
        events.subList(next, events.size()).forEach(event -> apply(context, event));
        return context.conversation(broken);
    }

    private void quarantine(Header header, IllegalArgumentException e) {
        unreadable.increment();
        LOG.atWarn()
                .addKeyValue("turn", header.turnId())
                .addKeyValue("message", header.id())
                .addKeyValue("why", e.getMessage())
                .log("a stored message cannot be read and is left out");
    }

    private static void apply(Context context, Event event) {
        String label = event.label() == null ? "" : event.label();
        switch (event.kind()) {
            case "clear" -> context.clear();
            case "forget" -> context.forget();
            case "mark" -> context.mark(label);
            case "rewind" -> context.rewind(label);
            case "undo" -> context.undo(event.start());
            case "revert" -> context.revert(event.start());
            case "unrevert" -> context.unrevert();
            case "seed" -> context.seed(event.label());
            case "summary" -> context.summarise(label, event.start());
            default -> LOG.atWarn().addKeyValue("kind", event.kind()).log("an unknown session event is passed over");
        }
    }

    // ---- rows to messages

    private static List<Message> messages(Header header, List<Stored> parts) {
        Role role = Role.valueOf(header.role().toUpperCase(java.util.Locale.ROOT));
        var blocks = new ArrayList<Block>();
        var results = new ArrayList<Message>();
        for (Stored part : parts) {
            if (header.interrupted() && !part.kind().equals("text")) {
                continue;
            }
            boolean isCall = part.kind().equals("tool") && "parley".equals(part.executedBy());
            if (isCall && role == Role.ASSISTANT) {
                call(part, blocks, results);
            } else {
                blocks.add(block(role, part, header.interrupted()));
            }
        }
        var messages = new ArrayList<Message>();
        messages.add(new Message(role, blocks, header.interrupted(), header.provider(), header.model()));
        messages.addAll(results);
        return messages;
    }

    /** A call that nobody carried out was never part of the context. */
    private static void call(Stored part, List<Block> blocks, List<Message> results) {
        boolean answered = part.content().get("result") != null;
        if (answered || "completed".equals(part.status())) {
            blocks.add(new Block.ToolCall(part.text("id"), part.text("name"), part.text("arguments"), part.raw()));
        }
        if (answered) {
            results.add(Message.toolResult(
                    part.text("id"), part.text("result"), Boolean.parseBoolean(part.text("isError"))));
        }
    }

    private static Block block(Role role, Stored part, boolean interrupted) {
        return switch (part.kind()) {
            case "text" -> new Block.Text(part.text("text"), interrupted ? null : part.raw());
            case "reasoning" ->
                part.content().get("data") == null
                        ? new Block.Thinking(part.text("text"), part.content().get("signature"), part.raw())
                        : new Block.RedactedThinking(part.text("data"), part.raw());
            case "file" ->
                new Block.File(
                        part.text("name"),
                        part.text("mimeType"),
                        Long.parseLong(part.text("size")),
                        part.text("sha256"),
                        part.content().get("transcript"),
                        part.raw());
            case "tool" ->
                role == Role.TOOL
                        ? new Block.ToolResult(
                                part.text("id"),
                                part.text("result"),
                                Boolean.parseBoolean(part.text("isError")),
                                part.raw())
                        : raw(part);
            default -> raw(part);
        };
    }

    private static Block raw(Stored part) {
        if (part.raw() == null) {
            throw new IllegalArgumentException("a " + part.kind() + " part has no raw item");
        }
        return new Block.Raw(part.raw());
    }

    // ---- reading rows

    private static List<Header> headers(Connection connection, UUID host, UUID sessionId) throws SQLException {
        var headers = new ArrayList<Header>();
        try (PreparedStatement statement = prepared(connection, MESSAGES, host, sessionId)) {
            ResultSet row = statement.executeQuery();
            while (row.next()) {
                headers.add(new Header(
                        row.getObject("message_id", UUID.class),
                        row.getObject("turn_id", UUID.class),
                        row.getString("role"),
                        row.getBoolean("interrupted"),
                        row.getString("provider_id"),
                        row.getString("model_id"),
                        row.getLong("place"),
                        row.getLong("start")));
            }
        }
        return headers;
    }

    private static Map<UUID, List<Stored>> parts(Connection connection, UUID host, UUID sessionId) throws SQLException {
        var parts = new HashMap<UUID, List<Stored>>();
        try (PreparedStatement statement = prepared(connection, PARTS, host, sessionId)) {
            ResultSet row = statement.executeQuery();
            while (row.next()) {
                parts.computeIfAbsent(row.getObject("message_id", UUID.class), _ -> new ArrayList<>())
                        .add(stored(row));
            }
        }
        return parts;
    }

    private static Stored stored(ResultSet row) throws SQLException {
        var content = new HashMap<String, @Nullable String>();
        for (String name : List.of(
                "text", "signature", "data", "id", "name", "arguments", "result", "size", "sha256", "transcript")) {
            content.put(name, row.getString(name));
        }
        content.put("isError", row.getString("is_error"));
        content.put("mimeType", row.getString("mime_type"));
        String raw = row.getString("raw");
        String provider = row.getString("raw_provider");
        String type = row.getString("item_type");
        ProviderItem item =
                raw == null || provider == null || type == null ? null : new ProviderItem(provider, type, raw);
        return new Stored(
                row.getString("kind"), content, row.getString("tool_status"), row.getString("executed_by"), item);
    }

    private static List<Event> events(Connection connection, UUID host, UUID sessionId) throws SQLException {
        var events = new ArrayList<Event>();
        try (PreparedStatement statement = prepared(connection, EVENTS, host, sessionId)) {
            ResultSet row = statement.executeQuery();
            while (row.next()) {
                events.add(new Event(
                        row.getLong("seq"),
                        row.getString("kind"),
                        row.getString("label"),
                        row.getLong("start_position")));
            }
        }
        return events;
    }

    private static PreparedStatement prepared(Connection connection, String sql, UUID host, UUID sessionId)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setObject(1, host);
        statement.setObject(2, sessionId);
        return statement;
    }
}
