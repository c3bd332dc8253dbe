package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.ReviseTurn;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.TurnEvent.TurnExtended;
import dev.parley.domain.protocol.TurnEvent.TurnRevised;
import dev.parley.domain.protocol.TurnEvent.TurnSteered;
import dev.parley.domain.protocol.TurnEventSessionOpenedBuilder;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.Context;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnStart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Mailbox: decides whether a message becomes a turn now or later, joins another turn, or is rejected. */
final class Mailbox {
    private static final String REVISED = "I meant to write:\n";

    private Mailbox() {}

    static void submit(TurnDraft draft, SubmitTurn command) {
        if (command.retries() != null) {
            retry(draft, command, command.retries());
            return;
        }
        Optional<Refusal> refusal = TurnAdmission.refusal(draft, command).or(() -> capacityRefusal(draft, command));
        if (refusal.isPresent()) {
            Reminders.onRefused(draft, command, refusal.get());
            Outcomes.refuse(draft, command, refusal.get());
            return;
        }
        if (!draft.state().exists()) {
            open(draft, command, TurnAdmission.agentName(draft.state(), command));
        }
        Optional<QueuedTurn> collecting = collecting(draft, command);
        if (joins(draft, command)) {
            steer(draft, command);
        } else if (collecting.isPresent()) {
            collect(draft, command, collecting.get());
        } else {
            enqueue(draft, command, null);
        }
    }

    /** Submits the question of an answer again, and reverts that answer and everything after it. */
    private static void retry(TurnDraft draft, SubmitTurn command, UUID answer) {
        Optional<Refusal> refusal = Reverts.refusal(draft.state());
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
            return;
        }
        Optional<TurnStart> turn = turnOf(draft, answer);
        if (turn.isEmpty()) {
            Outcomes.refuse(draft, command, Refusal.notInContext("unknown_message", "an answer", answer));
        } else {
            retry(draft, command, turn.get());
        }
    }

    private static void retry(TurnDraft draft, SubmitTurn command, TurnStart turn) {
        Entry question = draft.decisionContext().entries().apply(turn.entry());
        SubmitTurn resubmitted = command.withMessage(
                question.message().blocks(), command.tools().isEmpty() ? question.tools() : command.tools());
        Optional<Refusal> refusal = TurnAdmission.refusal(draft, resubmitted);
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
        } else {
            Reverts.revertFrom(draft, turn);
            enqueue(draft, resubmitted, turn.turnId());
        }
    }

    /** The turn whose answer or tool exchange contains this message. */
    private static Optional<TurnStart> turnOf(TurnDraft draft, UUID message) {
        Context context = draft.state().context();
        List<TurnStart> turns = context.turns();
        for (int i = turns.size() - 1; i >= 0; i--) {
            TurnStart turn = turns.get(i);
            long end = i + 1 < turns.size() ? turns.get(i + 1).entry() : context.next();
            // A message that a model never finished has no entry.
            long messages = end - turn.entry() + 1;
            boolean contains = LongStream.rangeClosed(1, messages)
                    .anyMatch(index -> Ids.message(turn.turnId(), (int) index).equals(message));
            if (contains && Commands.isOwn(draft, turn.turnId())) {
                return Optional.of(turn);
            }
        }
        return Optional.empty();
    }

    private static @Nullable Settings settings(TurnDraft draft, SubmitTurn command) {
        Settings session = draft.state().open().settings();
        return command.settings() == null ? session : command.settings().over(session);
    }

    private static Optional<Refusal> capacityRefusal(TurnDraft draft, SubmitTurn command) {
        SessionState state = draft.state();
        int limit = draft.agent(TurnAdmission.agentName(state, command), "")
                .limits()
                .maxQueued();
        boolean busy = state.active() != null
                || state.seeding() != null
                || state.handoff() != null
                || !state.queue().isEmpty();
        if (busy && command.mode() == MailboxMode.REJECT) {
            return Optional.of(new Refusal("session_busy", "a turn is active and the message asked not to wait"));
        }
        boolean joins = joins(draft, command);
        int room = joins || state.handoff() == null ? limit : Math.max(limit, Handoffs.MAX_WAITING);
        long waiting;
        if (joins) {
            waiting = draft.turn().steered().size();
        } else if (Handoffs.isAnswer(state, command.posted(), command.meta().user())) {
            waiting = state.queue().stream().filter(QueuedTurn::posted).count(); // it answers the others
        } else {
            waiting = state.queue().size();
        }
        return Refusal.when(
                waiting >= room && collecting(draft, command).isEmpty(),
                "queue_full",
                "%d messages wait already; try again later".formatted(waiting));
    }

    static void open(TurnDraft draft, SubmitTurn command, String agent) {
        UUID parentSession = command.parent() == null ? null : command.parent().sessionId();
        Commands.open(
                draft,
                command,
                TurnEventSessionOpenedBuilder.builder()
                        .agent(agent)
                        .channel(command.channel())
                        .channelId(command.channelId())
                        .parentSessionId(parentSession)
                        .depth(command.depth()));
        QuietContext.begin(draft, command.earlier());
    }

    /** Whether the message joins the active turn, which must not be in its last step. */
    private static boolean joins(TurnDraft draft, SubmitTurn command) {
        ActiveTurn active = draft.state().active();
        return active != null
                && isSteerable(active)
                && command.mode() == MailboxMode.STEER
                && command.parent() == null
                && command.tools().isEmpty()
                && isOfSameUser(active.turn(), command);
    }

    /** Whether turn and command have the same user: a turn runs with the rights of one user. */
    static boolean isOfSameUser(QueuedTurn turn, TurnCommand command) {
        return Objects.equals(turn.user(), command.meta().user());
    }

    private static boolean isSteerable(@Nullable ActiveTurn turn) {
        return turn != null
                && turn.turn().needsModel()
                && turn.cancelling() == null
                && (turn.model() == null || turn.model().toolsAllowed());
    }

    private static void steer(TurnDraft draft, SubmitTurn command) {
        QueuedTurn turn = draft.turn().turn();
        draft.emit(new TurnSteered(
                draft.turnMeta(), command.content(), command.meta().outcomePartition()));
        Outcomes.accept(draft, command, turn.turnId(), turn.seq(), Disposition.STEERED, 0);
    }

    /** Replaces the content of a queued turn, or sends the new content to the agent of the active one. */
    static void revise(TurnDraft draft, ReviseTurn command) {
        Optional<Refusal> refusal = refusal(draft, command);
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
        } else {
            draft.state()
                    .findQueued(command.turnId())
                    .ifPresentOrElse(turn -> revise(draft, command, turn), () -> correct(draft, command));
            Outcomes.acceptAsDone(draft, command, command.turnId());
        }
    }

    private static Optional<Refusal> refusal(TurnDraft draft, ReviseTurn command) {
        UUID turnId = command.turnId();
        Optional<QueuedTurn> queued = draft.state().findQueued(turnId);
        boolean isOfOtherUser = draft.state()
                .turn(turnId)
                .filter(turn -> !isOfSameUser(turn, command))
                .isPresent();
        return Refusal.when(isOfOtherUser, "unknown_turn", "there is no such message of yours")
                .or(() -> TurnAdmission.contentRefusal(command.content()))
                .or(() -> Refusal.when(
                        queued.filter(turn -> isFull(draft, turn)).isPresent(),
                        "queue_full",
                        "the message has too many parts already"))
                .or(() -> Refusal.when(
                        queued.isEmpty() && !takesCorrections(draft, turnId),
                        "turn_finished",
                        "the message was answered already"));
    }

    private static boolean takesCorrections(TurnDraft draft, UUID turnId) {
        ActiveTurn active = draft.state().active();
        return active != null
                && active.turnId().equals(turnId)
                && isSteerable(active)
                && active.steered().size() < draft.agent().limits().maxQueued();
    }

    /** Sends the new content to the agent of the active turn, unless it has that already. */
    private static void correct(TurnDraft draft, ReviseTurn command) {
        ActiveTurn active = draft.turn();
        var note = note(command);
        if (!QuietContext.own(active.turn().content()).equals(command.content())
                && !active.steered().contains(note)) {
            draft.emit(new TurnSteered(draft.turnMeta(), note, null));
        }
    }

    /** Whether a collecting turn has reached its limit. */
    private static boolean isFull(TurnDraft draft, QueuedTurn turn) {
        return turn.mode() == MailboxMode.COLLECT
                && turn.content().size()
                        >= draft.agent(turn.agent(), "").limits().maxQueued();
    }

    /** Appends to a collecting turn, because the part to replace is unknown. */
    private static void revise(TurnDraft draft, ReviseTurn command, QueuedTurn turn) {
        if (turn.mode() == MailboxMode.COLLECT) {
            draft.emit(new TurnExtended(draft.meta(turn.turnId()), note(command), null, turn.holdUntil()));
        } else if (!turn.content().equals(command.content())) {
            draft.emit(new TurnRevised(draft.meta(turn.turnId()), command.content()));
        }
    }

    private static List<Block> note(ReviseTurn command) {
        var note = new ArrayList<Block>();
        note.add(Block.text(REVISED));
        note.addAll(command.content());
        return note;
    }

    /** The queued turn that collects the message, if one has room for it. */
    private static Optional<QueuedTurn> collecting(TurnDraft draft, SubmitTurn command) {
        if (command.mode() != MailboxMode.COLLECT
                || command.parent() != null
                || !command.tools().isEmpty()) {
            return Optional.empty();
        }
        String agent = TurnAdmission.agentName(draft.state(), command);
        return draft.state().queue().stream()
                .filter(turn ->
                        turn.mode() == MailboxMode.COLLECT && turn.agent().equals(agent))
                .filter(turn -> isOfSameUser(turn, command) && !isFull(draft, turn) && turn.needsModel())
                .findFirst();
    }

    private static void collect(TurnDraft draft, SubmitTurn command, QueuedTurn into) {
        draft.emit(new TurnExtended(
                draft.meta(into.turnId()),
                command.content(),
                command.meta().outcomePartition(),
                holdUntil(draft, command)));
        Outcomes.accept(
                draft, command, into.turnId(), into.seq(), Disposition.COLLECTED, position(draft, into.turnId()));
    }

    private static void enqueue(TurnDraft draft, SubmitTurn command, @Nullable UUID retryOf) {
        UUID turnId = command.meta().commandId();
        long seq = draft.state().open().turns() + 1;
        draft.emit(accepted(draft, command, seq, retryOf));
        if (command.posted()) {
            TurnLifecycle.post(draft, turnId);
        }
        if (command.mode() == MailboxMode.INTERRUPT) {
            TurnLifecycle.cancel(draft, "a newer message interrupted the turn");
        }
        int position = position(draft, turnId);
        boolean starts = TurnLifecycle.next(draft)
                .filter(next -> next.turnId().equals(turnId))
                .isPresent();
        Outcomes.accept(draft, command, turnId, seq, starts ? Disposition.STARTED : Disposition.QUEUED, position);
    }

    private static TurnAccepted accepted(TurnDraft draft, SubmitTurn command, long seq, @Nullable UUID retryOf) {
        return new TurnAccepted(
                draft.meta(command.meta().commandId()),
                seq,
                command.origin(),
                command.originRef(),
                command.mode(),
                TurnAdmission.agentName(draft.state(), command),
                settings(draft, command),
                Handoffs.signed(draft.state(), command),
                command.meta().user(),
                replyTo(draft, command),
                command.parent(),
                command.meta().outcomePartition(),
                holdUntil(draft, command),
                command.meta().trace(),
                command.shared(),
                retryOf,
                command.tools(),
                command.posted());
    }

    private static @Nullable ReplyAddress replyTo(TurnDraft draft, SubmitTurn command) {
        if (command.replyTo() != null || !command.toChat()) {
            return command.replyTo();
        }
        return draft.state().chat();
    }

    private static @Nullable Instant holdUntil(TurnDraft draft, SubmitTurn command) {
        return command.mode() == MailboxMode.COLLECT ? draft.now().plus(TurnMachine.DEBOUNCE) : null;
    }

    /** Number of turns before a queued one, including the active one. */
    private static int position(TurnDraft draft, UUID turnId) {
        List<UUID> waiting =
                draft.state().queue().stream().map(QueuedTurn::turnId).toList();
        return waiting.indexOf(turnId) + (draft.state().active() == null ? 0 : 1);
    }
}
