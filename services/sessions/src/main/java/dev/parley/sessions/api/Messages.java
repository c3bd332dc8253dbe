package dev.parley.sessions.api;

import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads messages with their parts, in a transaction of the caller. */
@Singleton
public final class Messages {
    private final MessageRows rows;
    private final PartRows parts;

    Messages(MessageRows rows, PartRows parts) {
        this.rows = rows;
        this.parts = parts;
    }

    /**
     * The messages of a session to read; null filters match all.
     *
     * @param system whether instructions of agents are included
     * @param reverted whether reverted messages are included
     */
    public record Filter(
            UUID host,
            UUID session,
            boolean system,
            boolean reverted,
            @Nullable String role,
            @Nullable UUID turn) {
        public Filter(UUID host, UUID session, boolean system, boolean reverted) {
            this(host, session, system, reverted, null, null);
        }

        private List<MessageRows.Row> select(
                MessageRows rows, boolean descending, @Nullable Long position, @Nullable Integer seq, int limit) {
            return descending
                    ? rows.reversedPage(host, session, system, role, turn, reverted, position, seq, limit)
                    : rows.page(host, session, system, role, turn, reverted, position, seq, limit);
        }
    }

    /** A page of messages; it also ends where it would exceed {@link Page#MOST_BYTES}. */
    public Page<MessageJson> page(Filter filter, boolean descending, @Nullable Cursor after, int limit) {
        Long position = Cursor.firstNumberOf(after);
        Integer seq = after == null ? null : after.secondNumber();
        List<MessageRows.Row> found = filter.select(rows, descending, position, seq, limit + 1);
        List<MessageRows.Row> limited = found.size() > limit ? found.subList(0, limit) : found;
        List<MessageRows.Row> page = Page.fitting(limited, MessageRows.Row::bytes);
        boolean hasMore = page.size() < found.size();
        return new Page<>(
                withParts(filter.host, page),
                hasMore ? Cursor.of(page.getLast().position(), page.getLast().seq()) : null);
    }

    /** @param system whether instructions of agents are included */
    Optional<MessageJson> find(UUID host, UUID session, boolean system, UUID id) {
        return rows.find(host, session, system, id)
                .map(row -> withParts(host, List.of(row)).getFirst());
    }

    private List<MessageJson> withParts(UUID host, List<MessageRows.Row> page) {
        if (page.isEmpty()) {
            return List.of();
        }
        Map<UUID, List<PartJson>> byMessage =
                parts.findOf(host, page.stream().map(MessageRows.Row::messageId).toList()).stream()
                        .collect(Collectors.groupingBy(PartJson::messageId));
        return page.stream()
                .map(row -> row.json(PartJson.withPatch(byMessage.getOrDefault(row.messageId(), List.of()))))
                .toList();
    }
}
