package dev.parley.domain.turn;

import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.TurnCommand.ImportSession;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.session.Seeding;
import dev.parley.domain.session.SessionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Import of a session from elsewhere, in pieces. Its events are replayed with their original times and without effects:
 * no calls, deltas or replies. Until the last piece has arrived, the key rejects all other commands.
 */
final class Imports {
    private Imports() {}

    static void replay(TurnDraft draft, ImportSession command) {
        if (!isExpected(draft.state(), command)) {
            Outcomes.refuse(draft, command, "session_in_use", "something has happened to this session already");
        } else if (!fits(draft.state(), command)) {
            Outcomes.refuse(draft, command, "invalid_import", "these events cannot have happened to this session");
        } else {
            command.events().forEach(event -> replay(draft, event));
            draft.setSeeding(remaining(draft, command));
            draft.dropReminders(); // those of the original are sent
            Outcomes.acceptAsDone(draft, command, null);
        }
    }

    private static boolean isExpected(SessionState state, ImportSession command) {
        Seeding seeding = state.seeding();
        return seeding == null
                ? command.piece() == 0 && state.lastSeq() == 0
                : seeding.whole() && seeding.forkId().equals(command.importId()) && seeding.next() == command.piece();
    }

    private static @Nullable Seeding remaining(TurnDraft draft, ImportSession command) {
        return isLast(command)
                ? null
                : new Seeding(command.importId(), command.piece() + 1, command.pieces(), draft.now(), true);
    }

    private static boolean isLast(ImportSession command) {
        return command.piece() == command.pieces() - 1;
    }

    /** Whether the events continue the state, and nothing is in progress after the last one. */
    private static boolean fits(SessionState state, ImportSession command) {
        List<TurnEvent> events = command.events();
        boolean hasSession =
                state.session() != null || (!events.isEmpty() && events.getFirst() instanceof SessionOpened);
        return hasSession && continues(state, events) && (!isLast(command) || isAtRest(after(state, events)));
    }

    private static boolean continues(SessionState state, List<TurnEvent> events) {
        long seq = state.lastSeq();
        for (TurnEvent event : events) {
            EventMeta meta = event.meta();
            boolean next = meta.seq() == ++seq && event.isPublished();
            if (!next
                    || !meta.key().equals(state.key())
                    || !meta.sessionId().equals(state.key().sessionId(meta.epoch()))) {
                return false;
            }
        }
        return true;
    }

    private static SessionState after(SessionState state, List<TurnEvent> events) {
        SessionState after = state.withSeeding(null);
        for (TurnEvent event : events) {
            after = Evolution.evolve(after, event);
        }
        return after;
    }

    private static boolean isAtRest(SessionState state) {
        return state.active() == null
                && state.queue().isEmpty()
                && state.summary() == null
                && state.reverting() == null
                && state.seeding() == null;
    }

    private static void replay(TurnDraft draft, TurnEvent event) {
        SessionState before = draft.state();
        draft.emit(event);
        TurnEndings.outcomeOf(before, event)
                .ifPresent(end -> draft.effect(new TurnEffect.StoreOutcome(end.turnId(), end)));
    }
}
