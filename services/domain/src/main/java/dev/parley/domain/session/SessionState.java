package dev.parley.domain.session;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.Overheard;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.ReplyAddress;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a session that decisions depend on, except the messages, which are stored as separate entries.
 *
 * @param session the current session of the key, or null before the first command
 * @param lastSeq number of the newest published event
 * @param queue queued turns, next first
 * @param summary the pending summary, or null
 * @param summaryNotBefore earliest time of the next summary, after a failure
 * @param seeding the fork or import in progress, or null
 * @param spent usage of all turns of the session
 * @param fresh number of fresh delegates so far, by agent
 * @param todos the agent's current todo list
 * @param disclosed loaded skills and found tools
 * @param reverting the pending revert of files, or null
 * @param overheard what was said in the chat since the last turn started, and not to the agent; oldest first
 * @param reminders that are not over
 * @param quiet hours of people in which their reminders wait
 * @param handoff who answers in the agent's place, or is asked for; or null
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
        @Nullable PendingRevert reverting,
        List<Overheard> overheard,
        List<Reminder> reminders,
        List<QuietHours> quiet,
        @Nullable Handoff handoff)
        implements SessionStateBuilder.With {

    public SessionState {
        queue = List.copyOf(queue);
        fresh = Map.copyOf(fresh);
        todos = List.copyOf(todos);
        overheard = List.copyOf(overheard);
        reminders = List.copyOf(reminders);
        quiet = List.copyOf(quiet);
    }

    /** The state of an unused key. */
    public static SessionState initial(RecordKey key) {
        return SessionStateBuilder.builder()
                .key(key)
                .context(Context.EMPTY)
                .queue(List.of())
                .spent(Usage.NONE)
                .fresh(Map.of())
                .todos(List.of())
                .disclosed(Disclosed.NONE)
                .overheard(List.of())
                .reminders(List.of())
                .quiet(List.of())
                .build();
    }

    /** The session. Only valid if there is one. */
    public Session open() {
        return Objects.requireNonNull(session, "the session was not opened");
    }

    /** The active turn. Only valid if there is one. */
    public ActiveTurn running() {
        return Objects.requireNonNull(active, "no turn is active");
    }

    /** The active or queued turn with this id. */
    public Optional<QueuedTurn> turn(UUID turnId) {
        return Optional.ofNullable(active)
                .map(ActiveTurn::turn)
                .filter(turn -> turn.turnId().equals(turnId))
                .or(() -> findQueued(turnId));
    }

    /** The queued turn with this id. */
    public Optional<QueuedTurn> findQueued(@Nullable UUID turnId) {
        return queue.stream().filter(turn -> turn.turnId().equals(turnId)).findFirst();
    }

    /** The queued turn that is next. While a person answers in the agent's place, those that need a model wait. */
    public Optional<QueuedTurn> nextQueued() {
        return queue.stream()
                .filter(turn -> handoff == null || !turn.needsModel())
                .findFirst();
    }

    /** The chat of a bot that the session is of, or null. */
    public @Nullable ReplyAddress chat() {
        return ReplyAddress.ofChat(key, open().ownedBy(key));
    }

    /** The reminders, the next one first. */
    public List<Reminder> nextReminders() {
        return reminders.stream()
                .sorted(Comparator.comparing(Reminder::due).thenComparing(Reminder::id))
                .toList();
    }

    /** Whether the session exists and is not deleted. */
    public boolean exists() {
        return session != null && session.status() != SessionStatus.DELETED;
    }

    /** Whether a session is being imported under this key, and all other commands are rejected. */
    public boolean isArriving() {
        return seeding != null && seeding.whole();
    }

    /** With another pending summary or none, and the earliest time of the next. */
    public SessionState withSummary(@Nullable PendingSummary value, @Nullable Instant notBefore) {
        return with().summary(value).summaryNotBefore(notBefore).build();
    }

    /** Without reminders and quiet hours. */
    public SessionState withoutReminders() {
        return reminders.isEmpty() && quiet.isEmpty()
                ? this
                : withReminders(List.of()).withQuiet(List.of());
    }

    /** Without todos, loaded skills, found tools and what was overheard. */
    public SessionState withoutAgentState() {
        return withTodos(List.of()).withDisclosed(Disclosed.NONE).withOverheard(List.of());
    }
}
