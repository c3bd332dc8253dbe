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
import dev.parley.domain.turn.answer.UsableAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The context entries that an event adds or replaces: the model's context is a function of the events. */
final class Entries {
    private Entries() {}

    /** The entries to store after an event that led from one state to the other. */
    static List<TurnEffect.StoreEntry> of(SessionState before, TurnEvent event, SessionState after) {
        return switch (event) {
            case TurnStarted _ -> List.of(ofInput(before.context().next(), after.running()));
            case MessageAppended e -> List.of(entry(before.context().next(), before.running(), e.message()));
            case ModelCalled e -> ofAnswer(before, e).stream().toList();
            case Transcribed _, InputChecked _ ->
                ofRewrittenInput(before, after).stream().toList();
            case ToolCalled e -> ofResult(before, e).stream().toList();
            case ContextSeeded e -> ofSeed(e, after);
            default -> List.of();
        };
    }

    private static Optional<TurnEffect.StoreEntry> ofAnswer(SessionState before, ModelCalled e) {
        ActiveTurn turn = before.running();
        boolean tools = turn.model() != null && turn.model().toolsAllowed();
        var blocks = new UsableAnswer(e.blocks(), e.finish(), e.interrupted(), tools).keptBlocks();
        return blocks.isEmpty()
                ? Optional.empty()
                : Optional.of(entry(
                        before.context().next(),
                        turn,
                        new Message(Role.ASSISTANT, blocks, e.interrupted(), e.provider(), e.model())));
    }

    /** The turn's own message is stored with its transcripts and as rewritten by guardrails. */
    private static Optional<TurnEffect.StoreEntry> ofRewrittenInput(SessionState before, SessionState after) {
        ActiveTurn turn = after.running();
        if (turn.turn().content().equals(before.running().turn().content())) {
            return Optional.empty();
        }
        long entry = after.context().turns().getLast().entry();
        return Optional.of(ofInput(entry, turn));
    }

    private static TurnEffect.StoreEntry ofInput(long index, ActiveTurn active) {
        QueuedTurn turn = active.turn();
        var message = new Message(turn.posted() ? Role.ASSISTANT : Role.USER, turn.content(), false, null, null);
        return new TurnEffect.StoreEntry(index, new Entry(turn.turnId(), turn.seq(), message, turn.tools()));
    }

    private static Optional<TurnEffect.StoreEntry> ofResult(SessionState before, ToolCalled e) {
        var message = Message.toolResult(e.toolCallId(), e.content(), e.status() != ToolStatus.COMPLETED);
        return before.running().calls().stream()
                .filter(call -> call.callId().equals(e.callId()))
                .map(ToolCall::entry)
                .map(entry -> entry(entry, before.running(), message))
                .findFirst();
    }

    private static List<TurnEffect.StoreEntry> ofSeed(ContextSeeded e, SessionState after) {
        long index = after.context().next() - e.entries().size();
        var effects = new ArrayList<TurnEffect.StoreEntry>();
        for (Entry entry : e.entries()) {
            effects.add(new TurnEffect.StoreEntry(index++, entry));
        }
        return effects;
    }

    private static TurnEffect.StoreEntry entry(long index, ActiveTurn turn, Message message) {
        return new TurnEffect.StoreEntry(
                index, new Entry(turn.turnId(), turn.turn().seq(), message));
    }
}
