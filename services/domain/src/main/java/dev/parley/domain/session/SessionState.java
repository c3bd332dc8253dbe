package dev.parley.domain.session;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The header of a session: everything the machine needs to decide, except the messages themselves, which stand in the
 * store one entry an item.
 *
 * @param session what the key stands for now, or null before its first command
 * @param lastSeq number of the newest published event
 * @param queue turns that wait, first one first
 * @param summary a summary that was asked for and has not come, or null
 * @param summaryNotBefore no summary is asked for before, after one that failed
 * @param seeding what has not arrived whole, or null
 * @param spent what all turns of the session used
 * @param fresh how many fresh delegates of each agent there were
 * @param todos what the agent does, as it wrote it down last
 * @param disclosed what models see besides what every request carries
 * @param reverting files that were asked to be put back and have not been, or null
 */
@RecordBuilder
public record SessionState(
        RecordKey key,
        @Nullable Session session,
        long lastSeq,
        Context context,
        List<QueuedTurn> queue,
        @Nullable ActiveTurn active,
        @Nullable PendingSummary summary,
        @Nullable Instant summaryNotBefore,
        @Nullable Seeding seeding,
        Usage spent,
        Map<String, Integer> fresh,
        List<Todo> todos,
        Disclosed disclosed,
        @Nullable PendingRevert reverting)
        implements SessionStateBuilder.With {

    public SessionState {
        queue = List.copyOf(queue);
        fresh = Map.copyOf(fresh);
        todos = List.copyOf(todos);
    }

    /** A key that nothing has happened to. */
    public static SessionState initial(RecordKey key) {
        return SessionStateBuilder.builder()
                .key(key)
                .context(Context.EMPTY)
                .queue(List.of())
                .spent(Usage.NONE)
                .fresh(Map.of())
                .todos(List.of())
                .disclosed(Disclosed.NONE)
                .build();
    }

    /** The session; call it only where there is one. */
    public Session open() {
        return Objects.requireNonNull(session, "the session was not opened");
    }

    /** The active turn; call it only where there is one. */
    public ActiveTurn running() {
        return Objects.requireNonNull(active, "no turn is active");
    }

    /** The turn with this id, if it runs or waits. */
    public Optional<QueuedTurn> turn(UUID turnId) {
        return Stream.concat(Stream.ofNullable(active).map(ActiveTurn::turn), queue.stream())
                .filter(turn -> turn.turnId().equals(turnId))
                .findFirst();
    }

    /** Whether the session exists and is not deleted. */
    public boolean exists() {
        return session != null && session.status() != SessionStatus.DELETED;
    }

    /** Whether a session from elsewhere arrives under this key, and nothing else may happen to it. */
    public boolean isArriving() {
        return seeding != null && seeding.whole();
    }

    /** With another summary that is asked for, or none; no other one is asked for before {@code notBefore}. */
    public SessionState withSummary(@Nullable PendingSummary value, @Nullable Instant notBefore) {
        return with().summary(value).summaryNotBefore(notBefore).build();
    }

    /** Without what the agent wrote down for itself and what its models were shown. */
    public SessionState forgetful() {
        return withTodos(List.of()).withDisclosed(Disclosed.NONE);
    }
}
