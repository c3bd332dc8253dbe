package dev.parley.domain.turn.history;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.ActorKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Relocation of a session: rewrites its events, in order, as those of the same session in another project. Event
 * numbers become dense. Derived ids are derived again in the target; other ids are derived from the old ones.
 */
public final class Relocation {
    private final ImportTarget target;
    private final RecordKey old;
    private final RecordKey key;
    private final Map<UUID, UUID> turns = new HashMap<>();
    private final Map<UUID, UUID> summaries = new HashMap<>();
    private @Nullable Long reverted;
    private long seq;

    /** @param old key of the source session */
    public Relocation(ImportTarget target, RecordKey old) {
        this.target = target;
        this.old = old;
        this.key = target.key(old);
    }

    /** The next event, as it is there. */
    public TurnEvent move(TurnEvent event) {
        seq++;
        if (event instanceof TurnAccepted accepted) {
            turns.put(Objects.requireNonNull(event.meta().turnId()), target.turn(accepted));
        }
        if (event instanceof TurnStarted || event instanceof ContextSeeded) {
            reverted = null; // it is final
        }
        return ofSession(meta(event.meta()), event);
    }

    /** A reset that restores turns names the event that reverted the first of them, which has another number here. */
    private ContextReset moveContextReset(EventMeta meta, ContextReset e) {
        String label = e.label();
        switch (e.reset()) {
            case REVERT -> reverted = reverted == null ? seq : reverted;
            case UNREVERT -> {
                label = reverted == null ? label : reverted.toString();
                reverted = null;
            }
            case MARK -> {}
            case CLEAR, FORGET, REWIND, UNDO, NEW -> reverted = null;
        }
        return new ContextReset(meta, e.reset(), label);
    }

    private EventMeta meta(EventMeta original) {
        UUID turnId = original.turnId();
        return new EventMeta(
                target.host(),
                key,
                key.sessionId(original.epoch()),
                original.epoch(),
                seq,
                turnId == null ? null : turns.getOrDefault(turnId, target.turn().apply(turnId)),
                original.at());
    }

    private TurnEvent ofSession(EventMeta meta, TurnEvent event) {
        return switch (event) {
            case SessionOpened e -> moveSessionOpened(meta, e);
            case SessionChanged e -> new SessionChanged(meta, e.status(), e.title(), e.settings());
            case TurnAccepted e -> moveTurnAccepted(meta, e);
            case ContextSeeded e -> moveContextSeeded(meta, e);
            case ContextReset e -> moveContextReset(meta, e);
            case SummaryRequested e -> e.withMeta(meta).withCallId(summary(e.callId()));
            case Summarised e ->
                new Summarised(
                        meta, summary(e.callId()), e.summary(), e.upTo(), e.cut(), e.usage(), e.model(), e.provider());
            case SummaryFailed e -> new SummaryFailed(meta, summary(e.callId()), e.category(), e.detail(), e.retryAt());
            case FilesRevertRequested e -> moveRevertRequested(meta, e);
            case FilesReverted e -> new FilesReverted(meta, target.other(e.callId()), e.status(), e.content());
            case FeedbackGiven e ->
                new FeedbackGiven(
                        meta,
                        turns.getOrDefault(e.turnId(), target.turn().apply(e.turnId())),
                        String.valueOf(target.person(e.by())),
                        e.opinion(),
                        e.emoji(),
                        e.reason());
            case PermissionsChanged e ->
                new PermissionsChanged(
                        meta,
                        e.rules().stream()
                                .map(rule -> rule.by(target.person(rule.createdBy())))
                                .toList());
            default -> ofTurn(meta, event);
        };
    }

    private SessionOpened moveSessionOpened(EventMeta meta, SessionOpened e) {
        return e.with()
                .meta(meta)
                .parentSessionId(parentSession(e.parentSessionId()))
                .forkedFrom(e.forkedFrom() == null ? null : target.turn().apply(e.forkedFrom()))
                .user(target.person(e.user()))
                .owner(owner(e.owner()))
                .build();
    }

    private Actor owner(Actor old) {
        return old.kind() == ActorKind.PERSON ? Actor.person(target.person(old.name())) : old;
    }

    private ContextSeeded moveContextSeeded(EventMeta meta, ContextSeeded e) {
        return e.with()
                .meta(meta)
                .forkId(target.other(e.forkId()))
                .entries(e.entries().stream()
                        .map(entry -> new Entry(target.turn().apply(entry.turnId()), entry.turnSeq(), entry.message()))
                        .toList())
                .build();
    }

    private FilesRevertRequested moveRevertRequested(EventMeta meta, FilesRevertRequested e) {
        return e.with()
                .meta(meta)
                .callId(target.other(e.callId()))
                .commandId(target.other(e.commandId()))
                .waiter(null)
                .user(target.person(e.user()))
                .build();
    }

    private @Nullable UUID parentSession(@Nullable UUID id) {
        return id == null
                ? null
                : old.delegator()
                        .map(delegator -> target.session(delegator, id))
                        .orElseGet(() -> target.other(id));
    }

    /** The machine names summaries by the number of their event: a later one must not have the same name. */
    private UUID summary(UUID callId) {
        return summaries.computeIfAbsent(callId, _ -> Ids.of("summary", key, seq));
    }

    private TurnAccepted moveTurnAccepted(EventMeta meta, TurnAccepted e) {
        UUID retried = e.retryOf();
        return e.with()
                .meta(meta)
                .originRef(target.originRef(e))
                .user(target.person(e.user()))
                .parent(target.parent(e.parent()))
                .retryOf(
                        retried == null
                                ? null
                                : turns.getOrDefault(retried, target.turn().apply(retried)))
                .build();
    }

    private UUID call(UUID callId) {
        return target.call(old, callId);
    }

    private TurnEvent ofTurn(EventMeta meta, TurnEvent event) {
        return switch (event) {
            case TurnExtended e -> new TurnExtended(meta, e.content(), e.outcomePartition(), e.holdUntil());
            case TurnRevised e -> new TurnRevised(meta, e.content());
            case TurnSteered e -> new TurnSteered(meta, e.content(), e.outcomePartition());
            case TurnStarted e -> new TurnStarted(meta, e.agent(), e.agentVersion(), e.deadline(), e.instructions());
            case MessageAppended e -> new MessageAppended(meta, e.index(), e.message());
            case MessageSent e -> new MessageSent(meta, e.index(), e.text());
            case TodosChanged e -> new TodosChanged(meta, e.todos());
            case MessageOverheard e -> new MessageOverheard(meta, e.overheard());
            case ReminderChanged e -> moveReminderChanged(meta, e);
            case QuietHoursChanged e -> moveQuietHoursChanged(meta, e);
            case HandoffChanged e -> moveHandoffChanged(meta, e);
            case GuardrailApplied e ->
                new GuardrailApplied(meta, e.stage(), e.step(), e.guardrail(), e.action(), e.reason());
            case InputChecked e -> new InputChecked(meta, e.message(), e.content());
            case DisclosureChanged e -> new DisclosureChanged(meta, e.disclosed());
            case CancelRequested e -> new CancelRequested(meta, e.reason(), e.until());
            case TurnCompleted e ->
                new TurnCompleted(meta, e.reply(), e.finish(), e.usage(), e.model(), null, e.handedOff());
            case TurnFailed e -> new TurnFailed(meta, e.category(), e.message(), e.detail(), e.usage());
            case TurnCancelled e -> new TurnCancelled(meta, e.reason(), e.partial(), e.usage());
            default -> ofCall(meta, event);
        };
    }

    private TurnEvent ofCall(EventMeta meta, TurnEvent event) {
        return switch (event) {
            case ModelRequested e -> e.withMeta(meta).withCallId(call(e.callId()));
            case Transcribed e -> e.withMeta(meta).withCallId(call(e.callId()));
            case ModelCalled e -> e.withMeta(meta).withCallId(call(e.callId()));
            case ModelCallFailed e -> e.withMeta(meta).withCallId(call(e.callId()));
            case ToolRequested e -> moveToolRequested(meta, e);
            case ToolCalled e -> e.withMeta(meta).withCallId(call(e.callId()));
            case PermissionDecided e -> e.withMeta(meta).withCallId(call(e.callId()));
            case ApprovalRequested e -> moveApprovalRequested(meta, e);
            case ApprovalDecided e ->
                new ApprovalDecided(
                        meta,
                        target.other(e.approvalId()),
                        call(e.callId()),
                        e.answer(),
                        target.person(e.by()),
                        e.reason());
            case CallSettled e ->
                new CallSettled(meta, call(e.callId()), e.outcome(), String.valueOf(target.person(e.by())), e.note());
            case CallDelayed e -> new CallDelayed(meta, call(e.callId()), e.attempt(), e.retryAt(), e.reason());
            default -> throw new IllegalArgumentException("not a published event: " + event);
        };
    }

    private ReminderChanged moveReminderChanged(EventMeta meta, ReminderChanged e) {
        Reminder reminder = e.reminder()
                .with()
                .id(target.other(e.reminder().id()))
                .user(target.person(e.reminder().user()))
                .build();
        return new ReminderChanged(meta, e.change(), reminder, e.due(), target.person(e.by()), e.reason());
    }

    private QuietHoursChanged moveQuietHoursChanged(EventMeta meta, QuietHoursChanged e) {
        String user = target.person(e.user());
        QuietHours hours = e.hours();
        return new QuietHoursChanged(
                meta, user, hours == null ? null : new QuietHours(user, hours.from(), hours.to(), hours.timeZone()));
    }

    private HandoffChanged moveHandoffChanged(EventMeta meta, HandoffChanged e) {
        Handoff handoff = e.handoff()
                .with()
                .id(target.other(e.handoff().id()))
                .askedBy(target.person(e.handoff().askedBy()))
                .operator(target.person(e.handoff().operator()))
                .build();
        return new HandoffChanged(meta, e.change(), handoff, target.person(e.by()), e.reason());
    }

    private ToolRequested moveToolRequested(EventMeta meta, ToolRequested e) {
        return e.with()
                .meta(meta)
                .callId(call(e.callId()))
                .child(e.child() == null ? null : target.key(e.child()))
                .build();
    }

    private ApprovalRequested moveApprovalRequested(EventMeta meta, ApprovalRequested e) {
        return e.with()
                .meta(meta)
                .approvalId(target.other(e.approvalId()))
                .callId(call(e.callId()))
                .user(target.person(e.user()))
                .build();
    }
}
