package dev.parley.domain.turn;

import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The context entries that an event adds or replaces: the model's context is a function of the events. */
final class Entries {
    private Entries() {}

    /** The entries to store after an event that led from one state to the other. */
    static List<Effect.StoreEntry> of(SessionState before, TurnEvent event, SessionState after) {
        return switch (event) {
            case TurnStarted _ ->
                List.of(said(before, after.running(), after.running().turn()));
            case MessageAppended e -> List.of(keep(before.context().next(), before.running(), e.message()));
            case ModelCalled e -> answered(before, e).stream().toList();
            case Transcribed _, InputChecked _ ->
                reworded(before, after).stream().toList();
            case ToolCalled e -> result(before, e).stream().toList();
            case ContextSeeded e -> seeded(e, after);
            default -> List.of();
        };
    }

    private static Effect.StoreEntry said(SessionState before, ActiveTurn turn, QueuedTurn words) {
        return asked(before.context().next(), turn, words);
    }

    private static Optional<Effect.StoreEntry> answered(SessionState before, ModelCalled e) {
        ActiveTurn turn = before.running();
        boolean tools = turn.model() != null && turn.model().toolsAllowed();
        var kept = new Answer(e.blocks(), e.finish(), e.interrupted(), tools).kept();
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(keep(
                        before.context().next(),
                        turn,
                        new Message(Role.ASSISTANT, kept, e.interrupted(), e.provider(), e.model())));
    }

    /** The turn's own message is stored with its transcripts and as rewritten by guardrails. */
    private static Optional<Effect.StoreEntry> reworded(SessionState before, SessionState after) {
        ActiveTurn turn = after.running();
        if (turn.turn().content().equals(before.running().turn().content())) {
            return Optional.empty();
        }
        long entry = after.context().turns().getLast().entry();
        return Optional.of(asked(entry, turn, turn.turn()));
    }

    private static Effect.StoreEntry asked(long index, ActiveTurn turn, QueuedTurn words) {
        var message = new Message(Role.USER, words.content(), false, null, null);
        return new Effect.StoreEntry(index, new Entry(turn.turnId(), turn.turn().seq(), message, words.tools()));
    }

    private static Optional<Effect.StoreEntry> result(SessionState before, ToolCalled e) {
        var message = Message.toolResult(e.toolCallId(), e.content(), e.status() != ToolStatus.COMPLETED);
        return before.running().calls().stream()
                .filter(call -> call.callId().equals(e.callId()))
                .map(ToolCall::entry)
                .map(entry -> keep(entry, before.running(), message))
                .findFirst();
    }

    private static List<Effect.StoreEntry> seeded(ContextSeeded e, SessionState after) {
        long index = after.context().next() - e.entries().size();
        var kept = new ArrayList<Effect.StoreEntry>();
        for (Entry entry : e.entries()) {
            kept.add(new Effect.StoreEntry(index++, entry));
        }
        return kept;
    }

    private static Effect.StoreEntry keep(long index, ActiveTurn turn, Message message) {
        return new Effect.StoreEntry(index, new Entry(turn.turnId(), turn.turn().seq(), message));
    }
}
