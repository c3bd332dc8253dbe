package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.Approval;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.Cancelling;
import dev.parley.domain.session.Context;
import dev.parley.domain.session.PendingRevert;
import dev.parley.domain.session.PendingSummary;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Seeding;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.answer.UsableAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** State transitions: applies an event to the state. Nothing else changes the state. */
final class Evolution {
    private Evolution() {}

    static SessionState evolve(SessionState before, TurnEvent event) {
        SessionState state =
                event.isPublished() ? before.withLastSeq(event.meta().seq()) : before;
        return switch (event) {
            case SessionOpened e -> sessionOpened(state, e);
            case SessionChanged e -> sessionChanged(state, e);
            case SessionErased _ -> sessionErased(state);
            case TurnAccepted e -> turnAccepted(state, e);
            case TurnExtended e ->
                onQueued(
                        state,
                        e.meta().turnId(),
                        turn -> turn.extend(e.content(), e.outcomePartition(), e.holdUntil()));
            case TurnRevised e -> onQueued(state, e.meta().turnId(), turn -> turn.withContent(e.content()));
            case TurnSteered e -> turnSteered(state, e);
            case TurnStarted e -> turnStarted(state, e);
            case MessageAppended e -> messageAppended(state, e);
            case ModelRequested e -> onActive(state, turn -> turn.modelRequested(e));
            case ModelCalled e -> modelCalled(state, e);
            case Transcribed e -> transcribed(state, e);
            case ModelCallFailed e -> onActive(state, turn -> turn.modelCallFailed(e));
            case ToolRequested e -> toolRequested(state, e);
            case ToolCalled e -> toolCalled(state, e);
            case ApprovalRequested e -> approvalRequested(state, e);
            case ApprovalDecided e -> approvalDecided(state, e);
            case PermissionsChanged e -> state.withSession(state.open().withPermissions(e.rules()));
            case PermissionDecided _, GuardrailApplied _, CallSettled _, FeedbackGiven _, MessageSent _ -> state;
            case InputChecked e -> inputChecked(state, e);
            case GuardrailAsked e ->
                onActive(state, turn -> turn.withGuarded(turn.guarded().toolRequested(e.check())));
            case TurnRemembered e -> state.withSession(state.open().retainIn(e.bank()));
            case RecollectionChanged e -> recollectionChanged(state, e);
            case CallDelayed e -> callDelayed(state, e);
            case WaiterAdded e -> waiterAdded(state, e);
            case LeaseRenewed e -> leaseRenewed(state, e);
            case TodosChanged e -> state.withTodos(e.todos());
            case MessageOverheard e -> state.withOverheard(QuietContext.with(state.overheard(), e.overheard()));
            case ReminderChanged e -> reminderChanged(state, e);
            case QuietHoursChanged e -> quietHoursChanged(state, e);
            case HandoffChanged e -> state.withHandoff(e.change().isOver() ? null : e.handoff());
            case DisclosureChanged e -> state.withDisclosed(e.disclosed());
            case CancelRequested e ->
                onActive(state, turn -> turn.withCancelling(new Cancelling(e.reason(), e.until())));
            case TurnCompleted _, TurnFailed _, TurnCancelled _ ->
                turnEnded(state, event.meta().turnId());
            case ContextReset e -> contextReset(state, e);
            case FilesRevertRequested e -> state.withReverting(PendingRevert.of(e));
            case FilesReverted _ -> state.withReverting(null);
            case SummaryRequested e -> state.withSummary(PendingSummary.of(e), null);
            case Summarised e -> summarised(state, e);
            case SummaryFailed e -> state.withSummary(null, e.retryAt());
            case ContextSeeded e -> contextSeeded(state, e);
        };
    }

    private static SessionState sessionOpened(SessionState state, SessionOpened e) {
        boolean isTaken = Session.isTaken(state.session(), e);
        return (isTaken ? state.withoutReminders() : state)
                .withSession(Session.of(e, state.session()))
                .withContext(state.context().forget())
                .withSummary(null, null)
                .withSeeding(null)
                .withReverting(isTaken ? null : state.reverting())
                .withHandoff(null)
                .withoutAgentState()
                .withSpent(Usage.NONE); // fresh delegates stay counted, or they would not be fresh
    }

    /** Ids and numbers stay, so that later records under this key are not mistaken for earlier ones. */
    private static SessionState sessionErased(SessionState state) {
        return withoutContent(state.withSession(state.open().erase())).withSpent(Usage.NONE);
    }

    private static SessionState sessionChanged(SessionState state, SessionChanged e) {
        Session session = state.open().withStatus(e.status());
        SessionState changed = state.withSession(e.settings() == null ? session : session.withSettings(e.settings()));
        return e.status() == SessionStatus.DELETED ? withoutContent(changed) : changed;
    }

    private static SessionState withoutContent(SessionState state) {
        return state.withContext(state.context().forget())
                .withReverting(null)
                .withSummary(null, null)
                .withSeeding(null)
                .withHandoff(null)
                .withoutReminders()
                .withoutAgentState();
    }

    /** A refused one is only recorded. */
    private static SessionState reminderChanged(SessionState state, ReminderChanged e) {
        if (e.change() == Reminder.Change.REFUSED) {
            return state;
        }
        Stream<Reminder> others = state.reminders().stream()
                .filter(reminder -> !reminder.id().equals(e.reminder().id()));
        Stream<Reminder> changed = e.ends() ? Stream.of() : Stream.of(e.reminder());
        return state.withReminders(Stream.concat(others, changed).toList());
    }

    private static SessionState quietHoursChanged(SessionState state, QuietHoursChanged e) {
        Stream<QuietHours> others = state.quiet().stream().filter(hours -> !Objects.equals(hours.user(), e.user()));
        return state.withQuiet(
                Stream.concat(others, Stream.ofNullable(e.hours())).toList());
    }

    private static SessionState turnAccepted(SessionState state, TurnAccepted e) {
        QueuedTurn turn = QueuedTurn.of(e);
        var queue = new ArrayList<>(state.queue());
        queue.add(position(queue, turn), turn);
        Session session = state.open().withTurns(e.turnSeq());
        if (e.posted()) { // whoever sends it does not read the chat
            boolean unheard = e.turnSeq() == 1 || session.unheard();
            SessionState posted = state.withQueue(queue).withSession(session.withUnheard(unheard));
            return Handoffs.isAnswer(state, true, e.user()) ? answered(posted, e) : posted;
        }
        boolean isFirst = session.unheard() && session.user() == null;
        Session used = session.with()
                .unheard(false)
                .user(isFirst ? e.user() : session.user())
                .build();
        boolean another = e.user() != null && !e.user().equals(used.user());
        return state.withQueue(queue).withSession(e.shared() || another ? used.withShared(true) : used);
    }

    /** All that waits for the operator is answered. */
    private static SessionState answered(SessionState state, TurnAccepted e) {
        String reply = Message.text(e.content());
        Handoff handoff = Objects.requireNonNull(state.handoff());
        return state.withHandoff(handoff.answered(e.meta().at()))
                .withQueue(state.queue().stream()
                        .map(turn -> Handoffs.isPersons(turn) ? turn.withAnswered(reply) : turn)
                        .toList());
    }

    /** Interrupting turns precede all others; among themselves they are first in, first out. */
    private static int position(List<QueuedTurn> queue, QueuedTurn turn) {
        return turn.mode() != MailboxMode.INTERRUPT
                ? queue.size()
                : (int) queue.stream()
                        .takeWhile(queued -> queued.mode() == MailboxMode.INTERRUPT)
                        .count();
    }

    private static SessionState turnSteered(SessionState state, TurnSteered e) {
        return onActive(
                state,
                turn -> turn.turnSteered(e.content()).withTurn(turn.turn().withWaiter(e.outcomePartition())));
    }

    private static SessionState turnStarted(SessionState state, TurnStarted e) {
        QueuedTurn turn = state.findQueued(e.meta().turnId()).orElseThrow();
        List<Block> content =
                QuietContext.before(turn.content(), state.overheard(), e.meta().at());
        SessionState instructed = e.instructions() == null
                ? state
                : state.withSession(state.open().withInstructed(instructions(e.instructions())));
        return instructed
                .withQueue(
                        state.queue().stream().filter(queued -> queued != turn).toList())
                .withActive(ActiveTurn.of(turn.withContent(content), e))
                .withOverheard(List.of())
                .withContext(
                        state.context().turnStarted(turn.turnId(), turn.seq()).append(weight(content)));
    }

    /** The id of a text of instructions, equal for equal texts. */
    static UUID instructions(String prompt) {
        return Ids.of("instructions", prompt);
    }

    private static SessionState waiterAdded(SessionState state, WaiterAdded e) {
        ActiveTurn turn = state.active();
        if (turn != null && turn.turnId().equals(e.waitingFor())) {
            return state.withActive(turn.withTurn(turn.turn().withWaiter(e.outcomePartition())));
        }
        return onQueued(state, e.waitingFor(), queued -> queued.withWaiter(e.outcomePartition()));
    }

    private static SessionState turnEnded(SessionState state, @Nullable UUID turnId) {
        ActiveTurn turn = state.active();
        if (turn != null && turn.turnId().equals(turnId)) {
            return state.withActive(null);
        }
        return state.withQueue(state.queue().stream()
                .filter(queued -> !queued.turnId().equals(turnId))
                .toList());
    }

    private static SessionState onActive(SessionState state, UnaryOperator<ActiveTurn> change) {
        ActiveTurn turn = state.active();
        return turn == null ? state : state.withActive(change.apply(turn));
    }

    private static SessionState onQueued(SessionState state, @Nullable UUID turnId, UnaryOperator<QueuedTurn> change) {
        return state.withQueue(state.queue().stream()
                .map(turn -> turn.turnId().equals(turnId) ? change.apply(turn) : turn)
                .toList());
    }

    private static SessionState messageAppended(SessionState state, MessageAppended e) {
        return onActive(state, ActiveTurn::messageAppended)
                .withContext(state.context().append(e.message().weight()));
    }

    private static SessionState modelCalled(SessionState state, ModelCalled e) {
        ActiveTurn before = state.running();
        boolean tools = before.model() != null && before.model().toolsAllowed();
        var answer = new UsableAnswer(e.blocks(), e.finish(), e.interrupted(), tools);
        ActiveTurn turn = before.modelAnswered(e.usage(), Message.text(e.blocks()), e.provider() + "/" + e.model());
        if (!answer.calls().isEmpty()) {
            turn = turn.toolsCalled(answer.calls(), TurnMachine.MAX_IDENTICAL_CALL_ROUNDS);
        }
        var blocks = answer.keptBlocks();
        Context context = state.context();
        return state.withActive(turn)
                .withSpent(state.spent().plus(e.usage()))
                .withContext(blocks.isEmpty() ? context : context.append(weight(blocks)));
    }

    private static SessionState transcribed(SessionState state, Transcribed e) {
        return withInput(state, state.running().transcribed(e))
                .withSpent(state.spent().plus(e.usage()));
    }

    private static SessionState inputChecked(SessionState state, InputChecked e) {
        return withInput(state, state.running().inputChecked(e.message(), e.content()));
    }

    /** With an active turn whose own message may be rewritten. */
    private static SessionState withInput(SessionState state, ActiveTurn turn) {
        int addedWeight =
                weight(turn.turn().content()) - weight(state.running().turn().content());
        return state.withActive(turn).withContext(state.context().addWeight(addedWeight));
    }

    private static int weight(List<Block> blocks) {
        return blocks.stream().mapToInt(Block::weight).sum();
    }

    private static SessionState recollectionChanged(SessionState state, RecollectionChanged e) {
        SessionState recalled = onActive(state, turn -> turn.withRecollection(e.recollection()));
        return e.directives() == null
                ? recalled
                : recalled.withSession(recalled.open().withDirectives(e.directives()));
    }

    private static SessionState toolRequested(SessionState state, ToolRequested e) {
        ActiveTurn turn = state.running();
        if (turn.call(e.callId()).isPresent()) {
            return state.withActive(turn.withRetry(e));
        }
        var call = ToolCall.of(e, state.context().next());
        SessionState next = state.withActive(turn.withToolCall(e.meta().at(), call))
                .withContext(state.context().append(0));
        if (e.child() == null || !Delegation.isFresh(e.child())) {
            return next;
        }
        var counts = new HashMap<>(state.fresh());
        counts.merge(Delegation.agentOf(e.child()), 1, Integer::sum);
        return next.withFresh(counts);
    }

    private static SessionState toolCalled(SessionState state, ToolCalled e) {
        ActiveTurn turn = state.running().withToolCall(e.meta().at(), e.callId(), call -> call.complete(e.status()));
        boolean quotes = ToolSpec.OF_MEMORY.contains(e.name());
        return state.withActive(
                        quotes ? turn.withRecollection(turn.recollection().memoryQueried()) : turn)
                .withContext(state.context().addWeight(e.content().length()));
    }

    private static SessionState approvalRequested(SessionState state, ApprovalRequested e) {
        Instant time = e.meta().at();
        var approval = new Approval(e.approvalId(), time, e.expiresAt());
        return onActive(state, turn -> turn.withToolCall(time, e.callId(), call -> call.withApproval(approval)));
    }

    private static SessionState approvalDecided(SessionState state, ApprovalDecided e) {
        Instant time = e.meta().at();
        return onActive(
                state,
                turn -> turn.withToolCall(time, e.callId(), call -> call.approve(time, time.plus(TurnMachine.LEASE))));
    }

    private static SessionState callDelayed(SessionState state, CallDelayed e) {
        return onActive(
                state,
                turn -> turn.withCall(
                        e.callId(), model -> model.withRetryAt(e.retryAt()), tool -> tool.withRetryAt(e.retryAt())));
    }

    private static SessionState leaseRenewed(SessionState state, LeaseRenewed e) {
        PendingSummary summary = state.summary();
        if (summary != null && summary.callId().equals(e.callId())) {
            return state.withSummary(summary.withLeaseUntil(e.leaseUntil()), null);
        }
        PendingRevert revert = state.reverting();
        if (revert != null && revert.callId().equals(e.callId())) {
            return state.withReverting(revert.withLeaseUntil(e.leaseUntil()));
        }
        return onActive(
                state,
                turn -> turn.withCall(
                        e.callId(),
                        model -> model.withLeaseUntil(e.leaseUntil()),
                        tool -> tool.withLeaseUntil(e.leaseUntil())));
    }

    private static SessionState summarised(SessionState state, Summarised e) {
        return state.withSummary(null, null)
                .withContext(state.context().summarise(e.summary(), e.upTo(), e.cut()))
                .withSpent(state.spent().plus(e.usage()));
    }

    private static SessionState contextReset(SessionState state, ContextReset e) {
        Context context = state.context();
        String label = e.label() == null ? "" : e.label();
        return switch (e.reset()) {
            case CLEAR -> replaceContext(state, context.clear());
            case FORGET -> replaceContext(state, context.forget());
            case MARK -> state.withContext(context.addMark(label));
            case REWIND -> state.withContext(context.rewind(label)).withSummary(null, null);
            case UNDO -> state.withContext(context.undo()).withSummary(null, null);
            case REVERT ->
                state.withContext(revertContext(context, label, e.meta())).withSummary(null, null);
            case UNREVERT -> state.withContext(context.unrevert()).withSummary(null, null);
            case NEW -> state;
        };
    }

    private static SessionState replaceContext(SessionState state, Context context) {
        return state.withContext(context)
                .withSummary(null, null)
                .withSeeding(null)
                .withoutAgentState();
    }

    private static Context revertContext(Context context, String turn, EventMeta meta) {
        return context.revert(Long.parseLong(turn), meta.seq(), Reverts.call(meta.key(), meta.seq()));
    }

    private static SessionState contextSeeded(SessionState state, ContextSeeded e) {
        Context context = e.piece() == 0 ? state.context().seed(e.summary()) : state.context();
        UUID last = null;
        for (Entry entry : e.entries()) {
            if (!entry.turnId().equals(last) && !continuesLastTurn(context, entry)) {
                context = context.turnStarted(entry.turnId(), entry.turnSeq());
            }
            last = entry.turnId();
            context = context.append(entry.message().weight());
        }
        boolean complete = e.piece() == e.pieces() - 1;
        Instant deadline = e.meta().at().plus(TurnMachine.SEED_PIECE_TIMEOUT);
        SessionState base = e.piece() == 0 ? state.withoutAgentState() : state;
        return base.withContext(context)
                .withSummary(null, null)
                .withSeeding(complete ? null : new Seeding(e.forkId(), e.piece() + 1, e.pieces(), deadline, false));
    }

    private static boolean continuesLastTurn(Context context, Entry entry) {
        return !context.turns().isEmpty() && context.turns().getLast().turnId().equals(entry.turnId());
    }
}
