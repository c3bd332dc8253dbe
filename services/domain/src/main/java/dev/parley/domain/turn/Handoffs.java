package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.Names;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.Handoff.Change;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnCommand.ChangeHandoff;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.HandoffChanged;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.answer.ToolArguments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * People who answer in the agent's place. While a conversation is handed off, messages of people wait in the queue; what
 * its operator posts answers all that wait. Those turns are then worked off without a model: guardrails check them, and
 * the context gets them, so that the agent later knows what was said. What waits still when the conversation returns is
 * the agent's to answer.
 */
final class Handoffs {
    /** Before the name of whoever speaks in the agent's place. */
    private static final String SPEAKER = "👤 ";

    /** Maximum messages that wait for an operator, unless the agent takes more. */
    static final int MAX_WAITING = 100;

    private Handoffs() {}

    static void change(TurnDraft draft, ChangeHandoff command) {
        Optional<Refusal> refusal = refusal(draft.state(), command);
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
            return;
        }
        switch (command.step()) {
            case ASK -> ask(draft, command);
            case TAKE -> take(draft, command);
            case RETURN -> end(draft, Change.RETURNED, command.meta().user(), command.reason());
        }
        Outcomes.acceptAsDone(draft, command, null);
    }

    private static Optional<Refusal> refusal(SessionState state, ChangeHandoff command) {
        if (!state.exists()) {
            return Optional.of(Refusal.UNKNOWN_SESSION);
        }
        CommandMeta meta = command.meta();
        Handoff handoff = state.handoff();
        boolean isTaken = command.step() == Handoff.Step.TAKE
                && handoff != null
                && handoff.operator() != null
                && !handoff.isAnsweredBy(meta.user());
        if (isOthers(state, command)) {
            return Optional.of(Refusal.NOT_YOURS);
        }
        return Refusal.when(
                        state.open().status() == SessionStatus.ARCHIVED,
                        "session_archived",
                        "the session is archived; reopen it first")
                .or(() ->
                        Refusal.when(state.open().depth() > 0, "not_a_conversation", "agents talk here, and no person"))
                .or(() -> Refusal.when(
                        isTaken, "handoff_taken", handoff == null ? "" : handoff.name() + " answers here already"));
    }

    /**
     * Operators lead the project; whoever asked for a person may do without, and so may whose session it is, as long as
     * nobody answers: guests ask in their sessions.
     */
    private static boolean isOthers(SessionState state, ChangeHandoff command) {
        CommandMeta meta = command.meta();
        Handoff handoff = state.handoff();
        return switch (command.step()) {
            case ASK -> false;
            case TAKE -> !meta.leads() || meta.user() == null;
            case RETURN ->
                handoff != null
                        && !meta.leads()
                        && !Objects.equals(handoff.askedBy(), meta.user())
                        && (handoff.operator() != null
                                || !Objects.equals(state.open().user(), meta.user()));
        };
    }

    private static void ask(TurnDraft draft, ChangeHandoff command) {
        if (draft.state().handoff() == null) {
            CommandMeta meta = command.meta();
            emit(draft, Change.ASKED, asked(draft, meta.commandId(), meta.user(), command.reason()), command);
        }
    }

    private static Handoff asked(TurnDraft draft, UUID id, @Nullable String user, String reason) {
        Instant now = draft.now();
        return new Handoff(id, user, reason, null, "", now, null, Handoff.TAKEN, now.plus(Handoff.ASKED));
    }

    /** The agent asks for a person. Returns the result for the model. */
    static String ask(TurnDraft draft, ToolCall call) {
        QueuedTurn turn = draft.turn().turn();
        String reason = ToolArguments.orEmpty(call.arguments()).text("reason").strip();
        if (turn.parent() != null) {
            throw new IllegalArgumentException("only an agent that a person talks to can ask for an operator");
        }
        if (reason.isEmpty() || reason.length() > Handoff.MAX_REASON) {
            throw new IllegalArgumentException("reason must have 1 to %d characters".formatted(Handoff.MAX_REASON));
        }
        if (draft.state().handoff() == null) {
            Handoff asked = asked(draft, Ids.of("handoff", call.callId()), turn.user(), reason);
            draft.emit(new HandoffChanged(draft.turnMeta(), Change.ASKED, asked, turn.user(), reason));
        }
        return "An operator was asked for. Tell the user so, and end your turn: later messages wait for the operator.";
    }

    private static void take(TurnDraft draft, ChangeHandoff command) {
        CommandMeta meta = command.meta();
        Handoff before = draft.state().handoff();
        if (before != null && before.isAnsweredBy(meta.user())) {
            return;
        }
        Duration timeout = command.timeout() == null ? Handoff.TAKEN : command.timeout();
        String name = Names.cleaned(command.name()).replace('\n', ' ').strip();
        Handoff asked = before == null ? asked(draft, meta.commandId(), null, command.reason()) : before;
        ActiveTurn active = draft.state().active();
        if (active != null && isPersons(active.turn())) {
            TurnLifecycle.cancel(draft, "a person answers in the agent's place");
        }
        Handoff taken = asked.with()
                .operator(meta.user())
                .name(name.isEmpty() ? "Operator" : name)
                .takenAt(draft.now())
                .timeout(timeout)
                .until(draft.now().plus(timeout))
                .build();
        emit(draft, Change.TAKEN, taken, command);
        say(draft, taken, "joined", SPEAKER + taken.name() + " answers now in the assistant's place.");
    }

    private static void emit(TurnDraft draft, Change change, Handoff handoff, ChangeHandoff command) {
        draft.emit(new HandoffChanged(
                draft.meta(null), change, handoff, command.meta().user(), command.reason()));
    }

    /** Ends the handoff, if there is one. */
    static void end(TurnDraft draft, Change change, @Nullable String by, String reason) {
        Handoff handoff = draft.state().handoff();
        if (handoff == null) {
            return;
        }
        draft.emit(new HandoffChanged(draft.meta(null), change, handoff, by, reason));
        switch (change) {
            case RETURNED -> say(draft, handoff, "returned", "The assistant answers again.");
            case EXPIRED ->
                say(
                        draft,
                        handoff,
                        "expired",
                        handoff.operator() == null
                                ? "Nobody is free at the moment. The assistant answers again."
                                : handoff.name() + " is away. The assistant answers again.");
            case ASKED, TAKEN, ENDED -> {} // nothing to say
        }
    }

    static void tick(TurnDraft draft) {
        Handoff handoff = draft.state().handoff();
        if (handoff != null && TurnMachine.isDue(handoff.until(), draft)) {
            end(draft, Change.EXPIRED, null, "");
        }
    }

    /** Ends what is due, because the machine fails on it. */
    static void fault(TurnDraft draft, String detail) {
        Handoff handoff = draft.state().handoff();
        if (handoff != null && TurnMachine.isDue(handoff.until(), draft)) {
            end(draft, Change.ENDED, null, detail);
        }
    }

    /** Tells the chat, if the session is of one. */
    private static void say(TurnDraft draft, Handoff handoff, String what, String text) {
        ReplyAddress to = draft.state().chat();
        if (to != null) {
            UUID id = Ids.of("handoff", handoff.id(), what, draft.now());
            TurnLifecycle.send(draft, id, id, to, Reply.Kind.MESSAGE, text, List.of(), List.of());
        }
    }

    // ---- messages

    /** Whether a message is an answer of the operator. */
    static boolean isAnswer(SessionState state, boolean posted, @Nullable String user) {
        Handoff handoff = state.handoff();
        return posted && handoff != null && handoff.isAnsweredBy(user);
    }

    /** The content of a message, under the operator's name if it is theirs. */
    static List<Block> signed(SessionState state, SubmitTurn command) {
        if (!isAnswer(state, command.posted(), command.meta().user())) {
            return command.content();
        }
        String speaker = SPEAKER + Objects.requireNonNull(state.handoff()).name();
        List<Block> content = command.content();
        boolean isText = content.getFirst() instanceof Block.Text;
        Block first = content.getFirst() instanceof Block.Text text
                ? Block.text(speaker + "\n" + text.text())
                : Block.text(speaker);
        return Stream.concat(Stream.of(first), content.stream().skip(isText ? 1 : 0))
                .toList();
    }

    /** Whether an answer of the operator answers this turn, too: it is a person's. */
    static boolean isPersons(QueuedTurn turn) {
        boolean speaks = turn.origin() == Origin.CHANNEL || turn.origin() == Origin.API;
        return speaks && turn.parent() == null && turn.needsModel();
    }
}
