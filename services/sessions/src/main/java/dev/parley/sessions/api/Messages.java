package dev.parley.sessions.api;

import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queries messages with their parts. */
final class Messages {
    private Messages() {}

    /** A message and its position in its session. */
    record Placed(MessageJson message, long position, int seq) {
        UUID id() {
            return message.id();
        }
    }

    /** A page of messages, and whether more follow. */
    record Found(List<Placed> rows, boolean more) {
        /** The cursor of the next page, or null. */
        @Nullable
        String next() {
            return more ? Cursor.of(rows.getLast().position(), rows.getLast().seq()) : null;
        }

        Page<MessageJson> page() {
            return new Page<>(rows.stream().map(Placed::message).toList(), next());
        }
    }

    /**
     * A page of the messages that the select finds. The select fetches one row more than {@code max}; a page also ends
     * where it would exceed {@link Page#MOST_BYTES}.
     */
    static Found page(Views.Reading reading, UUID host, Select select, int max) {
        List<Placed> placed = withoutParts(reading, select);
        List<Placed> limited = placed.size() > max ? placed.subList(0, max) : placed;
        Map<UUID, Long> bytes = sizes(reading, host, limited);
        List<Placed> fitting = Page.fitting(limited, row -> bytes.getOrDefault(row.id(), 0L));
        return new Found(withParts(reading, host, fitting), fitting.size() < placed.size());
    }

    private static Map<UUID, Long> sizes(Views.Reading reading, UUID host, List<Placed> rows) {
        if (rows.isEmpty()) {
            return Map.of();
        }
        var select = new Select("""
                SELECT p.message_id, sum(octet_length(p.content::text)) AS bytes FROM sessions.agent_message_part_t p
                WHERE p.host_id = ? AND p.message_id = ANY (?::uuid[]) GROUP BY p.message_id
                """, host, ids(rows));
        return reading.list(select, row -> Map.entry(Columns.uuid(row, "message_id"), row.getLong("bytes"))).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Object ids(List<Placed> rows) {
        return Sql.texts(rows.stream().map(Placed::id).toList());
    }

    /** The messages that the select finds, each with all its parts. */
    static List<Placed> read(Views.Reading reading, UUID host, Select select) {
        return withParts(reading, host, withoutParts(reading, select));
    }

    private static List<Placed> withoutParts(Views.Reading reading, Select select) {
        return reading.list(
                select, row -> new Placed(MessageJson.of(row, List.of()), row.getLong("position"), row.getInt("seq")));
    }

    private static List<Placed> withParts(Views.Reading reading, UUID host, List<Placed> rows) {
        if (rows.isEmpty()) {
            return rows;
        }
        var parts = new HashMap<UUID, List<PartJson>>();
        var select = new Select("SELECT " + PartJson.COLUMNS + " FROM sessions.agent_message_part_t p")
                .with(
                        "WHERE p.host_id = ? AND p.message_id = ANY (?::uuid[]) ORDER BY p.message_id, p.idx",
                        host,
                        ids(rows));
        reading.list(
                select,
                row -> parts.computeIfAbsent(Columns.uuid(row, "message_id"), _ -> new ArrayList<>())
                        .add(PartJson.of(row)));
        return rows.stream()
                .map(row -> new Placed(
                        row.message().withParts(PartJson.withPatch(row.id(), parts.getOrDefault(row.id(), List.of()))),
                        row.position(),
                        row.seq()))
                .toList();
    }
}
