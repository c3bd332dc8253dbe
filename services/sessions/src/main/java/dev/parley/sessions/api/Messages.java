package dev.parley.sessions.api;

import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;

/** Reads messages with their parts. */
final class Messages {
    private Messages() {}

    /** A message and its place among those of its session. */
    record Placed(MessageJson message, long position, int seq) {}

    /** The messages that the select finds, each with all of its parts. */
    static List<Placed> read(Views.Reading reading, UUID host, Select select) {
        List<Placed> bare = reading.list(
                select, row -> new Placed(MessageJson.of(row, List.of()), row.getLong("position"), row.getInt("seq")));
        if (bare.isEmpty()) {
            return bare;
        }
        var parts = new HashMap<UUID, List<PartJson>>();
        var ids = bare.stream().map(row -> row.message().id()).toList();
        var all = new Select("SELECT " + PartJson.COLUMNS + " FROM sessions.agent_message_part_t p")
                .with(
                        "WHERE p.host_id = ? AND p.message_id = ANY (?::uuid[]) ORDER BY p.message_id, p.idx",
                        host,
                        Sql.texts(ids));
        reading.list(
                all,
                row -> parts.computeIfAbsent(row.getObject("message_id", UUID.class), _ -> new ArrayList<>())
                        .add(PartJson.of(row)));
        return bare.stream()
                .map(row -> new Placed(
                        row.message()
                                .with(PartJson.withPatch(
                                        row.message().id(),
                                        parts.getOrDefault(row.message().id(), List.of()))),
                        row.position(),
                        row.seq()))
                .toList();
    }
}
