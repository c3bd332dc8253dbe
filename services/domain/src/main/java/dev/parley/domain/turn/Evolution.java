package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.Approval;
import dev.parley.domain.protocol.Check;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Recollection;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.Cancelling;
import dev.parley.domain.session.Context;
import dev.parley.domain.session.Guarded;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.session.PendingRevert;
import dev.parley.domain.session.PendingSummary;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Seeding;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State transitions: applies an event to the state. Nothing else changes the state. It is long because it has a case
 * for each event.
 */
final class Evolution {
    private Evolution() {}

    static SessionState evolve(SessionState before, TurnEvent event) {
        SessionState state =
                event.isPublished() ? before.withLastSeq(event.meta().seq()) : before;
        return switch (event) {
            case SessionOpened e -> opened(state, e);
            case SessionChanged e -> changed(state, e);
            case SessionErased _ -> erased(state);
            case TurnAccepted e -> accepted(state, e);
            case TurnExtended e ->
                queued(
                        state,
                        e.meta().turnId(),
                        turn -> turn.extended(e.content(), e.outcomePartition(), e.holdUntil()));
            case TurnRevised e -> queued(state, e.meta().turnId(), turn -> turn.withContent(e.content()));
            case TurnSteered e ->
                running(
                        state,
                        turn -> turn.steeredBy(e.content()).withTurn(turn.turn().waitedForAt(e.outcomePartition())));
            case TurnStarted e -> started(state, e);
            case MessageAppended e ->
                running(state, ActiveTurn::messageAppended)
                        .withContext(state.context().appended(e.message().weight()));
            case ModelRequested e -> running(state, turn -> modelRequested(turn, e));
            case ModelCalled e -> answered(state, e);
            case Transcribed e -> transcribed(state, e);
            case ModelCallFailed e -> running(state, turn -> modelFailed(turn, e));
            case ToolRequested e -> toolRequested(state, e);
            case ToolCalled e -> toolCalled(state, e);
            case PermissionDecided _ -> state;
            case ApprovalRequested e -> approvalRequested(state, e);
            case ApprovalDecided e -> approvalDecided(state, e);
            case PermissionsChanged e -> state.withSession(state.open().withPermissions(e.rules()));
            case GuardrailApplied _, CallSettled _ -> state;
            case InputChecked e -> inputChecked(state, e);
            case GuardrailAsked e ->
                running(state, turn -> turn.withGuarded(turn.guarded().asking(e.check())));
            case TurnRemembered e -> state.withSession(state.open().rememberedIn(e.bank()));
            case RecollectionChanged e -> recalled(state, e);
            case CallDelayed e ->
                onCall(
                        state,
                        e.callId(),
                        model -> model.withRetryAt(e.retryAt()),
                        tool -> tool.withRetryAt(e.retryAt()));
            case WaiterAdded e -> waiterAdded(state, e);
            case LeaseRenewed e -> leaseRenewed(state, e);
            case MessageSent _ -> state;
            case TodosChanged e -> state.withTodos(e.todos());
            case DisclosureChanged e -> state.withDisclosed(e.disclosed());
            case CancelRequested e ->
                running(state, turn -> turn.withCancelling(new Cancelling(e.reason(), e.until())));
            case TurnCompleted e -> ended(state, e.meta().turnId());
            case TurnFailed e -> ended(state, e.meta().turnId());
            case TurnCancelled e -> ended(state, e.meta().turnId());
            case ContextReset e -> reset(state, e);
            case FilesRevertRequested e ->
                state.withReverting(new PendingRevert(
                        e.callId(),
                        e.attempt(),
                        e.commandId(),
                        e.waiter(),
                        e.user(),
                        e.arguments(),
                        e.leaseUntil(),
                        e.deadline()));
            case FilesReverted _ -> state.withReverting(null);
            case SummaryRequested e ->
                state.withSummary(
                        new PendingSummary(e.callId(), e.attempt(), e.upTo(), e.cut(), e.leaseUntil(), e.deadline()),
                        null);
            case Summarised e ->
                state.withSummary(null, null)
                        .withContext(state.context().summarised(e.summary(), e.upTo(), e.cut()))
                        .withSpent(state.spent().plus(e.usage()));
            case SummaryFailed e -> state.withSummary(null, e.retryAt());
            case ContextSeeded e -> seeded(state, e);
        };
    }

    private static SessionState recalled(SessionState state, RecollectionChanged e) {
        SessionState reminded = running(state, turn -> turn.withRecollection(e.recollection()));
        return e.directives() == null
                ? reminded
                : reminded.withSession(reminded.open().withDirectives(e.directives()));
    }

    private static SessionState opened(SessionState state, SessionOpened e) {
        var session = new Session(
                e.meta().host(),
                e.meta().sessionId(),
                e.meta().epoch(),
                SessionStatus.ACTIVE,
                e.agent(),
                e.channel(),
                e.channelId(),
                e.parentSessionId(),
                e.depth(),
                e.user(),
                0,
                null,
                List.of(),
                state.session() != null && state.session().shared(),
                state.session() == null ? List.of() : state.session().remembered(),
                state.session() == null ? List.of() : state.session().directives(),
                null);
        return state.withSession(session)
                .withContext(state.context().fresh())
                .withSummary(null, null)
                .withSeeding(null)
                .forgetful()
                .withSpent(Usage.NONE); // fresh delegates stay counted, or they would not be fresh
    }

    /** Ids and numbers stay, so that later records under this key are not mistaken for earlier ones. */
    private static SessionState erased(SessionState state) {
        return state.withSession(state.open().erased())
                .withContext(state.context().fresh())
                .withReverting(null)
                .withSummary(null, null)
                .withSeeding(null)
                .forgetful()
                .withSpent(Usage.NONE);
    }

    private static SessionState changed(SessionState state, SessionChanged e) {
        Session session = state.open().withStatus(e.status());
        SessionState changed = state.withSession(e.settings() == null ? session : session.withSettings(e.settings()));
        return e.status() == SessionStatus.DELETED
                ? changed.withContext(state.context().fresh())
                        .withReverting(null)
                        .withSummary(null, null)
                        .withSeeding(null)
                        .forgetful()
                : changed;
    }

    private static SessionState accepted(SessionState state, TurnAccepted e) {
        var turn = new QueuedTurn(
                        Objects.requireNonNull(e.meta().turnId(), "an accepted turn has an id"),
                        e.turnSeq(),
                        e.origin(),
                        e.mode(),
                        e.agent(),
                        e.settings(),
                        e.content(),
                        e.user(),
                        e.replyTo(),
                        e.parent(),
                        List.of(),
                        e.meta().at(),
                        e.holdUntil(),
                        e.trace(),
                        e.tools())
                .waitedForAt(e.outcomePartition());
        var queue = new ArrayList<>(state.queue());
        queue.add(place(queue, turn), turn);
        Session session = state.open().withTurns(e.turnSeq());
        boolean another = e.user() != null && !e.user().equals(session.user());
        return state.withQueue(queue).withSession(e.shared() || another ? session.withShared(true) : session);
    }

    /** Interrupting turns precede all others; among themselves they are first in, first out. */
    private static int place(List<QueuedTurn> queue, QueuedTurn turn) {
        if (turn.mode() != MailboxMode.INTERRUPT) {
            return queue.size();
        }
        int place = 0;
        while (place < queue.size() && queue.get(place).mode() == MailboxMode.INTERRUPT) {
            place++;
        }
        return place;
    }

    private static SessionState started(SessionState state, TurnStarted e) {
        QueuedTurn turn = state.queue().stream()
                .filter(queued -> queued.turnId().equals(e.meta().turnId()))
                .findFirst()
                .orElseThrow();
        var rest = state.queue().stream().filter(queued -> queued != turn).toList();
        var active = new ActiveTurn(
                turn.withAgent(e.agent()),
                e.agentVersion(),
                e.meta().at(),
                e.deadline(),
                0,
                1,
                Usage.NONE,
                null,
                List.of(),
                List.of(),
                null,
                0,
                false,
                null,
                "",
                null,
                Guarded.NONE,
                Recollection.NONE);
        SessionState told = e.instructions() == null
                ? state
                : state.withSession(state.open().withInstructed(instructions(e.instructions())));
        return told.withQueue(rest)
                .withActive(active)
                .withContext(
                        state.context().turnStarted(turn.turnId(), turn.seq()).appended(weight(turn.content())));
    }

    /** The id of a text of instructions, equal for equal texts. */
    static UUID instructions(String prompt) {
        return Ids.of("instructions", prompt);
    }

    private static SessionState answered(SessionState state, ModelCalled e) {
        ActiveTurn before = state.running();
        boolean tools = before.model() != null && before.model().toolsAllowed();
        var answer = new Answer(e.blocks(), e.finish(), e.interrupted(), tools);
        ActiveTurn turn = before.answered(e.usage(), Message.text(e.blocks()), e.provider() + "/" + e.model());
        SessionState next = state.withActive(answer.calls().isEmpty() ? turn : counted(turn, answer.calls()))
                .withSpent(state.spent().plus(e.usage()));
        var kept = answer.kept();
        return kept.isEmpty() ? next : next.withContext(state.context().appended(weight(kept)));
    }

    private static SessionState transcribed(SessionState state, Transcribed e) {
        ActiveTurn before = state.running();
        ActiveTurn turn = before.heard(e);
        int more = weight(turn.turn().content()) - weight(before.turn().content());
        return state.withActive(turn)
                .withContext(state.context().weighed(more))
                .withSpent(state.spent().plus(e.usage()));
    }

    private static SessionState inputChecked(SessionState state, InputChecked e) {
        ActiveTurn before = state.running();
        ActiveTurn turn = before.checked(e.message(), e.content());
        int more = weight(turn.turn().content()) - weight(before.turn().content());
        return state.withActive(turn).withContext(state.context().weighed(more));
    }

    private static int weight(List<Block> blocks) {
        return blocks.stream().mapToInt(Block::weight).sum();
    }

    /** The same calls too many times in a row make the next step the last one. */
    private static ActiveTurn counted(ActiveTurn turn, List<Block.ToolCall> calls) {
        UUID fingerprint = Ids.of(calls.stream()
                .flatMap(call -> Stream.of(call.name(), call.arguments()))
                .toArray());
        int repeats = fingerprint.equals(turn.lastCalls()) ? turn.repeats() + 1 : 1;
        return turn.repeating(
                fingerprint, repeats, turn.lastStep() || repeats >= TurnMachine.MAX_IDENTICAL_CALL_ROUNDS);
    }

    private static ActiveTurn modelRequested(ActiveTurn turn, ModelRequested e) {
        ModelCall before = turn.model();
        int failures = before == null ? 0 : before.failuresWhenAskedAgain();
        var call = new ModelCall(
                e.callId(), e.attempt(), failures, e.toolsAllowed(), e.recordings(), e.leaseUntil(), null);
        return turn.asking(e.step(), call);
    }

    private static ActiveTurn modelFailed(ActiveTurn turn, ModelCallFailed e) {
        ModelCall call = turn.model();
        return call == null ? turn : turn.withModel(e.retryAt() == null ? null : call.failed(e.retryAt()));
    }

    private static SessionState toolRequested(SessionState state, ToolRequested e) {
        ActiveTurn turn = state.running();
        for (ToolCall call : turn.calls()) {
            if (call.callId().equals(e.callId())) {
                return state.withActive(turn.withCall(call.asked(e.attempt(), e.leaseUntil())));
            }
        }
        var calls = new ArrayList<>(turn.calls());
        calls.add(new ToolCall(
                e.callId(),
                e.index(),
                e.attempt(),
                0,
                e.message(),
                e.part(),
                e.toolCallId(),
                e.name(),
                e.arguments(),
                e.version(),
                state.context().next(),
                e.child(),
                ToolStatus.RUNNING,
                e.leaseUntil(),
                e.deadline(),
                null,
                null));
        SessionState next = state.withActive(awaiting(turn, e.meta().at(), calls))
                .withContext(state.context().appended(0));
        if (e.child() == null || !Delegation.isFresh(e.child())) {
            return next;
        }
        var fresh = new HashMap<>(state.fresh());
        fresh.merge(Delegation.agentOf(e.child()), 1, Integer::sum);
        return next.withFresh(fresh);
    }

    private static SessionState toolCalled(SessionState state, ToolCalled e) {
        ActiveTurn turn = state.running();
        var calls = turn.calls().stream()
                .map(call -> call.callId().equals(e.callId()) ? call.ended(e.status()) : call)
                .toList();
        Context weighed = state.context().weighed(e.content().length());
        ActiveTurn next = awaiting(turn, e.meta().at(), calls);
        boolean quotes = ToolSpec.OF_MEMORY.contains(e.name());
        return state.withActive(
                        quotes ? next.withRecollection(next.recollection().quoting()) : next)
                .withContext(weighed);
    }

    private static SessionState approvalRequested(SessionState state, ApprovalRequested e) {
        var approval = new Approval(e.approvalId(), e.meta().at(), e.expiresAt());
        return running(state, turn -> onTool(turn, e.meta(), e.callId(), call -> call.withApproval(approval)));
    }

    private static SessionState approvalDecided(SessionState state, ApprovalDecided e) {
        Instant at = e.meta().at();
        return running(
                state,
                turn -> onTool(turn, e.meta(), e.callId(), call -> call.answered(at, at.plus(TurnMachine.LEASE))));
    }

    private static ActiveTurn onTool(ActiveTurn turn, EventMeta meta, UUID callId, UnaryOperator<ToolCall> change) {
        return awaiting(
                turn,
                meta.at(),
                turn.calls().stream()
                        .map(call -> call.callId().equals(callId) ? change.apply(call) : call)
                        .toList());
    }

    /** With these calls. Time spent waiting for people or the caller does not count: the deadline moves by it. */
    private static ActiveTurn awaiting(ActiveTurn turn, Instant at, List<ToolCall> calls) {
        Duration more = Duration.between(awaitedUntil(turn.calls(), at), awaitedUntil(calls, at));
        return turn.with().calls(calls).deadline(turn.deadline().plus(more)).build();
    }

    private static Instant awaitedUntil(List<ToolCall> calls, Instant otherwise) {
        return calls.stream()
                .flatMap(call -> Stream.ofNullable(call.awaitedUntil()))
                .max(Instant::compareTo)
                .orElse(otherwise);
    }

    private static SessionState waiterAdded(SessionState state, WaiterAdded e) {
        ActiveTurn turn = state.active();
        if (turn != null && turn.turnId().equals(e.waitingFor())) {
            return state.withActive(turn.withTurn(turn.turn().waitedForAt(e.outcomePartition())));
        }
        return queued(state, e.waitingFor(), queued -> queued.waitedForAt(e.outcomePartition()));
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
        return onCall(
                state,
                e.callId(),
                model -> model.withLeaseUntil(e.leaseUntil()),
                tool -> tool.withLeaseUntil(e.leaseUntil()));
    }

    private static SessionState onCall(
            SessionState state, UUID callId, UnaryOperator<ModelCall> onModel, UnaryOperator<ToolCall> onTool) {
        return running(state, turn -> {
            ModelCall model = turn.model();
            if (model != null && model.callId().equals(callId)) {
                return turn.withModel(onModel.apply(model));
            }
            Check check = turn.guarded().check();
            if (check != null && check.asked().callId().equals(callId)) {
                return turn.withGuarded(
                        turn.guarded().with(check.asking(check.guardrail(), onTool.apply(check.asked()))));
            }
            return turn.withCalls(turn.calls().stream()
                    .map(call -> call.callId().equals(callId) ? onTool.apply(call) : call)
                    .toList());
        });
    }

    private static SessionState ended(SessionState state, @Nullable UUID turnId) {
        ActiveTurn turn = state.active();
        if (turn != null && turn.turnId().equals(turnId)) {
            return state.withActive(null);
        }
        return state.withQueue(state.queue().stream()
                .filter(queued -> !queued.turnId().equals(turnId))
                .toList());
    }

    private static SessionState reset(SessionState state, ContextReset e) {
        Context context = state.context();
        String label = e.label() == null ? "" : e.label();
        return switch (e.reset()) {
            case CLEAR, FORGET ->
                state.withContext(e.reset() == TurnCommand.Reset.FORGET ? context.fresh() : context.cleared())
                        .withSummary(null, null)
                        .withSeeding(null)
                        .forgetful();
            case MARK -> state.withContext(context.marked(label));
            case REWIND -> state.withContext(context.rewound(label)).withSummary(null, null);
            case UNDO -> state.withContext(context.undone()).withSummary(null, null);
            case REVERT ->
                state.withContext(context.reverted(
                                Long.parseLong(label),
                                e.meta().seq(),
                                Reverts.call(e.meta().key(), e.meta().seq())))
                        .withSummary(null, null);
            case UNREVERT -> state.withContext(context.unreverted()).withSummary(null, null);
            case NEW -> state;
        };
    }

    private static SessionState seeded(SessionState state, ContextSeeded e) {
        Context context = e.piece() == 0 ? state.context().seeded(e.summary()) : state.context();
        UUID last = null;
        for (Entry entry : e.entries()) {
            if (!entry.turnId().equals(last) && !startsInPlace(context, entry)) {
                context = context.turnStarted(entry.turnId(), entry.turnSeq());
            }
            last = entry.turnId();
            context = context.appended(entry.message().weight());
        }
        boolean whole = e.piece() == e.pieces() - 1;
        Instant until = e.meta().at().plus(TurnMachine.SEED_PIECE_TIMEOUT);
        SessionState begun = e.piece() == 0 ? state.forgetful() : state;
        return begun.withContext(context)
                .withSummary(null, null)
                .withSeeding(whole ? null : new Seeding(e.forkId(), e.piece() + 1, e.pieces(), until, false));
    }

    private static boolean startsInPlace(Context context, Entry entry) {
        return !context.turns().isEmpty() && context.turns().getLast().turnId().equals(entry.turnId());
    }

    private static SessionState running(SessionState state, UnaryOperator<ActiveTurn> change) {
        ActiveTurn turn = state.active();
        return turn == null ? state : state.withActive(change.apply(turn));
    }

    private static SessionState queued(SessionState state, @Nullable UUID turnId, UnaryOperator<QueuedTurn> change) {
        return state.withQueue(state.queue().stream()
                .map(turn -> turn.turnId().equals(turnId) ? change.apply(turn) : turn)
                .toList());
    }
}
