package dev.parley.sessions.projection;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Payer;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.sessions.NamedFiles;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How an event becomes rows: no I/O, no clock, nothing that the rows and the event do not say, so that a replay makes
 * equal rows however the events are cut into batches.
 *
 * <p>Each event touches the row of its session, whose version is therefore the number of the newest event that was
 * folded: an event that is not newer was here before and changes nothing.
 */
final class Fold {
    /** Number of the message that holds the agent's instructions, where they are new to the session. */
    private static final int INSTRUCTIONS = -1;

    private static final String SYSTEM = "system";

    /** Resets whose label is a number. */
    private static final Set<Reset> NUMBERED = Set.of(Reset.UNDO, Reset.REVERT, Reset.UNREVERT);

    private static final String ASKED = "asked";

    private final Rows rows;
    private int unknownItems;

    Fold(Rows rows) {
        this.rows = rows;
    }

    /** How many content items were of a kind that nobody here knows. */
    int unknownItems() {
        return unknownItems;
    }

    /**
     * Folds one event into the rows.
     *
     * @return false where it was folded before
     * @throws Rejected when the rows that it needs are not there; nothing is changed then
     */
    boolean apply(TurnEvent event) {
        EventMeta meta = event.meta();
        Row.Session session = rows.session(meta.host(), meta.sessionId());
        if (session != null && meta.seq() <= session.version) {
            return false;
        }
        if (event instanceof SessionOpened opened) {
            open(session, opened);
        } else if (session == null) {
            throw new Rejected("session " + meta.sessionId() + " is not known: the event that opened it is missing");
        } else {
            applyTo(session, event);
            touch(session, meta);
            NamedFiles.of(event).forEach(sha256 -> named(session, sha256, meta));
        }
        return true;
    }

    private void applyTo(Row.Session session, TurnEvent event) {
        switch (event) {
            case SessionOpened _ -> throw new IllegalStateException("opened above");
            case SessionErased _ -> throw new IllegalStateException("rows are removed, not folded");
            case SessionChanged e -> changed(session, e);
            case TurnAccepted e -> accepted(session, e);
            case TurnExtended e -> extended(e);
            case TurnRevised e -> reworded(e.meta(), e.content());
            case InputChecked e -> checked(e);
            case GuardrailApplied e -> guarded(e);
            case TurnStarted e -> started(session, e);
            case MessageAppended e -> appended(session, e);
            case ModelRequested e -> asked(session, e);
            case ModelCalled e -> answered(session, e);
            case Transcribed e -> transcribed(session, e);
            case ModelCallFailed e -> callFailed(e);
            case ToolRequested e -> toolRequested(e);
            case PermissionDecided e -> permissionDecided(e);
            case ApprovalRequested e -> approvalRequested(e);
            case ApprovalDecided e -> approvalDecided(e);
            case PermissionsChanged e -> session.permissions = Parts.permissions(e.rules());
            case ToolCalled e -> toolCalled(e);
            case TurnCompleted e -> completed(session, e);
            case TurnFailed e -> failed(session, e);
            case TurnCancelled e -> cancelled(session, e);
            case ContextReset e -> reset(session, e);
            case Summarised e -> summarised(session, e);
            case ContextSeeded e -> seeded(session, e);
            case TodosChanged e -> todos(session, e.meta(), e.todos());
            // What these say shows in the events that follow them.
            case TurnSteered _,
                    DisclosureChanged _,
                    CallDelayed _,
                    MessageSent _,
                    CancelRequested _,
                    FilesRevertRequested _,
                    FilesReverted _,
                    SummaryRequested _,
                    SummaryFailed _,
                    WaiterAdded _,
                    LeaseRenewed _,
                    GuardrailAsked _,
                    RecollectionChanged _,
                    TurnRemembered _ -> {}
        }
    }

    // ---- sessions

    private void open(Row.@Nullable Session before, SessionOpened e) {
        if (before != null) {
            throw new Rejected("session " + e.meta().sessionId() + " was opened before");
        }
        EventMeta meta = e.meta();
        var session = new Row.Session();
        session.hostId = meta.host();
        session.projectId = meta.key().projectId();
        session.sessionId = meta.sessionId();
        session.key = meta.key().session();
        session.epoch = meta.epoch();
        session.parentSessionId = e.parentSessionId();
        session.forkedFromTurn = e.forkedFrom();
        session.depth = e.depth();
        session.channel = Texts.clip(e.channel(), 64);
        session.channelId = Texts.clipped(e.channelId(), 256);
        session.userId = Texts.clipped(e.user(), 256);
        session.agent = e.agent();
        session.titleGiven = e.title() != null && !e.title().isBlank();
        session.title = session.titleGiven ? Texts.clip(Objects.requireNonNull(e.title()), 300) : Texts.PLACEHOLDER;
        session.slugFrom = session.titleGiven ? session.title : session.key;
        session.status = "active";
        session.createdTs = at(meta);
        rows.add(session);
        touch(session, meta);
        session.updateUser = session.userId == null ? Row.PARLEY : session.userId;
    }

    private void changed(Row.Session session, SessionChanged e) {
        session.status = e.status().name().toLowerCase(Locale.ROOT);
        session.archivedTs = e.status() == SessionStatus.ARCHIVED
                ? session.archivedTs == null ? at(e.meta()) : session.archivedTs
                : null;
        if (e.title() != null && !e.title().isBlank()) {
            session.title = Texts.clip(e.title(), 300);
            session.titleGiven = true;
        }
        if (e.settings() != null) {
            session.settings = e.settings().equals(Settings.NONE) ? null : Parts.settings(e.settings());
        }
    }

    private void reset(Row.Session session, ContextReset e) {
        if (e.reset() != Reset.NEW) {
            Long number = NUMBERED.contains(e.reset()) && e.label() != null ? Long.valueOf(e.label()) : null;
            boolean back = e.reset() == Reset.UNREVERT;
            var event = event(
                    session,
                    e.meta(),
                    e.reset().name().toLowerCase(Locale.ROOT),
                    number == null ? e.label() : null,
                    back ? null : number);
            event.since = back ? number : null;
        }
        if (e.reset() == Reset.REVERT || e.reset() == Reset.UNREVERT) {
            history(session, e.meta());
        }
        if (e.reset() == Reset.CLEAR || e.reset() == Reset.FORGET) {
            session.summary = null;
            session.summaryUpTo = null;
            todos(session, e.meta(), List.of());
            history(session, e.meta());
        }
    }

    private Row.SessionEvent event(
            Row.Session session, EventMeta meta, String kind, @Nullable String label, @Nullable Long turnSeq) {
        var event = within(session, meta, new Row.SessionEvent());
        event.kind = kind;
        event.label = label == null ? null : Texts.clean(label);
        event.turnSeq = turnSeq;
        event.createdTs = at(meta);
        return event;
    }

    private void summarised(Row.Session session, Summarised e) {
        session.summary = Texts.clean(e.summary());
        session.summaryUpTo = e.upTo();
        event(session, e.meta(), "summary", session.summary, e.upTo());
        history(session, e.meta());
        var call = modelCall(session, e.meta(), e.callId(), 1, 0, "summary");
        used(call, e.usage());
        call.finishReason = code(FinishReason.STOP);
        call.modelId = Texts.clip(e.model(), 126);
    }

    /** A fork's context: messages of another session's turns, so they have no turn here. */
    private void seeded(Row.Session session, ContextSeeded e) {
        if (e.piece() == 0) {
            session.summary = e.summary() == null ? null : Texts.clean(e.summary());
            session.summaryUpTo = e.summary() == null ? null : 0L;
            event(session, e.meta(), "seed", session.summary, session.summaryUpTo);
            todos(session, e.meta(), List.of());
        }
        int seq = 0;
        for (Entry entry : e.entries()) {
            UUID id = Ids.of("message", session.sessionId, e.forkId(), e.piece(), seq);
            var message =
                    message(session, e.meta(), id, seq++, code(entry.message().role()));
            message.providerId = Texts.clipped(entry.message().provider(), 64);
            message.modelId = Texts.clipped(entry.message().model(), 126);
            message.interrupted = entry.message().interrupted();
            parts(message, 0, entry.message().blocks());
            settle(message);
        }
        history(session, e.meta());
    }

    /** A seeded call has its result in one of the next messages. */
    private void settle(Row.Message message) {
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null && Parts.PENDING.equals(part.toolStatus)) {
                part.toolStatus = Parts.COMPLETED;
            }
        }
    }

    private void todos(Row.Session session, EventMeta meta, List<Todo> todos) {
        var list = new ArrayList<Row.Todo>();
        for (Todo todo : todos) {
            var row = within(session, meta, new Row.Todo());
            row.position = list.size();
            row.content = Texts.clean(todo.content());
            row.activeForm = Texts.clean(todo.activeForm());
            row.status = todo.status().code();
            list.add(row);
        }
        rows.replace(session, list);
    }

    // ---- turns

    private void accepted(Row.Session session, TurnAccepted e) {
        UUID turnId = Objects.requireNonNull(e.meta().turnId());
        if (rows.turn(e.meta().host(), turnId) != null) {
            throw new Rejected("turn " + turnId + " was accepted before");
        }
        var turn = within(session, e.meta(), new Row.Turn());
        turn.turnId = turnId;
        turn.seq = e.turnSeq();
        turn.origin = e.origin().code();
        turn.originRef = Texts.clip(e.originRef(), 512);
        turn.mode = e.mode().name().toLowerCase(Locale.ROOT);
        turn.agent = e.agent();
        turn.userId = Texts.clipped(e.user(), 256);
        turn.userMessage = Texts.clean(Message.text(e.content()));
        turn.state = TurnState.QUEUED.name();
        turn.createdTs = at(e.meta());
        rows.add(turn);
        session.nextTurnSeq = e.turnSeq() + 1;
        Row.Message message = question(session, turn, e);
        if (turn.userId != null) {
            turn.updateUser = turn.userId;
            message.updateUser = turn.userId;
        }
    }

    /** A question that is asked again belongs to the turn that answers it last: it goes where that one goes. */
    private Row.Message question(Row.Session session, Row.Turn turn, TurnAccepted e) {
        Row.Message asked = e.retryOf() == null ? null : rows.takeQuestion(turn.hostId, e.retryOf());
        if (asked == null) {
            Row.Message message = message(session, turn, e.meta(), 0, Role.USER);
            parts(message, 0, e.content());
            return message;
        }
        asked.position = e.meta().seq();
        touch(asked, e.meta());
        add(turn, asked);
        return asked;
    }

    private void extended(TurnExtended e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, 0);
        String more = Texts.clean(Message.text(e.content()));
        turn.userMessage = turn.userMessage.isEmpty() ? more : turn.userMessage + "\n" + more;
        touch(turn, e.meta());
        touch(message, e.meta());
        parts(message, message.partCount, e.content());
    }

    /** Messages that join are shown when they stand in the context, as guardrails left them. */
    private void checked(InputChecked e) {
        if (e.message() == 0 && e.content() != null) {
            reworded(e.meta(), e.content());
        }
    }

    private void guarded(GuardrailApplied e) {
        Row.Turn turn = turn(e.meta());
        touch(turn, e.meta());
        turn.guardrails = Parts.guarded(turn.guardrails, e, at(e.meta()));
    }

    private void reworded(EventMeta meta, List<Block> content) {
        Row.Turn turn = turn(meta);
        Row.Message message = message(turn, 0);
        touch(turn, meta);
        touch(message, meta);
        turn.userMessage = Texts.clean(Message.text(content));
        int before = message.partCount;
        parts(message, 0, content);
        for (int idx = message.partCount; idx < before; idx++) {
            made(message, Parts.of(message, idx, Block.text(""))); // there is less of it now
        }
    }

    private void started(Row.Session session, TurnStarted e) {
        Row.Turn turn = turn(e.meta());
        touch(turn, e.meta());
        turn.state = TurnState.RUNNING_MODEL.name();
        turn.agent = e.agent();
        turn.agentVersion = Texts.clip(e.agentVersion(), 64);
        turn.startedTs = at(e.meta());
        turn.startPosition = e.meta().seq();
        session.activeTurnId = turn.turnId;
        if (e.instructions() != null) {
            var message = message(session, turn, e.meta(), INSTRUCTIONS, SYSTEM);
            parts(message, 0, List.of(Block.text(e.instructions())));
        }
    }

    private void appended(Row.Session session, MessageAppended e) {
        Row.Turn turn = turn(e.meta());
        int index = inFlight(turn).isPresent() ? e.index() + 1 : e.index();
        if (rows.messages(turn).containsKey(index)) {
            throw new Rejected("message " + index + " of turn " + turn.turnId + " is there already");
        }
        touch(turn, e.meta());
        var message = message(session, turn, e.meta(), index, e.message().role());
        message.interrupted = e.message().interrupted();
        parts(message, 0, e.message().blocks());
    }

    private void completed(Row.Session session, TurnCompleted e) {
        Row.Turn turn = turn(e.meta());
        session.bankId = e.bank() == null ? session.bankId : e.bank();
        end(session, turn, e.meta(), TurnState.COMPLETED, e.finish());
        turn.reply = Texts.clean(e.reply());
    }

    private void failed(Row.Session session, TurnFailed e) {
        Row.Turn turn = turn(e.meta());
        end(session, turn, e.meta(), TurnState.FAILED, FinishReason.ERROR);
        error(turn, e.category().code(), e.message(), e.detail());
        rows.messages(turn).descendingMap().values().stream()
                .filter(message -> message.role.equals("assistant"))
                .findFirst()
                .ifPresent(last -> {
                    last.errorType = turn.errorType;
                    last.errorMessage = turn.errorMessage;
                    touch(last, e.meta());
                });
    }

    private void cancelled(Row.Session session, TurnCancelled e) {
        Row.Turn turn = turn(e.meta());
        end(session, turn, e.meta(), TurnState.CANCELLED, FinishReason.CANCELLED);
        turn.reply = e.partial().isEmpty() ? null : Texts.clean(e.partial());
        error(turn, "cancelled", e.reason(), null);
    }

    private static void error(Row.Turn turn, String type, String message, @Nullable String detail) {
        turn.errorType = type;
        turn.errorMessage = Texts.clean(message);
        turn.errorDetail = detail == null ? null : Texts.clean(detail);
    }

    private void end(Row.Session session, Row.Turn turn, EventMeta meta, TurnState state, FinishReason finish) {
        touch(turn, meta);
        turn.state = state.name();
        turn.finishReason = code(finish);
        turn.completedTs = at(meta);
        turn.openTools = 0;
        turn.openApprovals = 0;
        turn.openChildren = 0;
        rows.messages(turn).values().stream()
                .filter(message -> message.completedTs == null)
                .forEach(message -> close(message, meta, finish));
        if (turn.turnId.equals(session.activeTurnId)) {
            session.activeTurnId = null;
        }
        String title = session.titleGiven ? "" : Texts.title(turn.userMessage);
        if (!title.isEmpty()) {
            session.title = title;
            session.titleGiven = true;
        }
        history(session, meta);
    }

    /** Leaves no message open after its turn, and no call without an end. */
    private void close(Row.Message message, EventMeta meta, FinishReason finish) {
        touch(message, meta);
        message.completedTs = at(meta);
        message.openTools = 0;
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null && (Parts.PENDING.equals(part.toolStatus) || Parts.RUNNING.equals(part.toolStatus))) {
                Parts.drop(part, "the call was not carried out");
                touch(part, meta);
            }
        }
        if (!message.answered) {
            message.finishReason = code(finish == FinishReason.CANCELLED ? finish : FinishReason.ERROR);
            made(message, Parts.stepFinish(message, message.partCount, message.finishReason, null));
        }
    }

    // ---- model calls

    /** The message that the model is about to write stands there from the first attempt on. */
    private void asked(Row.Session session, ModelRequested e) {
        Row.Turn turn = turn(e.meta());
        touch(turn, e.meta());
        turn.state = TurnState.RUNNING_MODEL.name();
        if (!e.recordings().isEmpty()) {
            return; // what comes back stands in the message that they came with
        }
        Row.Message message = inFlight(turn).orElse(null);
        if (message == null) {
            message = message(session, turn, e.meta(), turn.messageCount, Role.ASSISTANT);
            open(message, turn, e.step());
        }
        touch(message, e.meta());
        message.providerId = Texts.clip(e.provider(), 64);
        message.modelId = Texts.clip(e.model(), 126);
    }

    /** What people said aloud is part of their message; what it took to write it down counts there, too. */
    private void transcribed(Row.Session session, Transcribed e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, 0);
        touch(turn, e.meta());
        touch(message, e.meta());
        e.recordings().forEach(recording -> heard(message, recording, e.meta()));
        turn.userMessage = Texts.clean(words(message));
        used(session, turn, message, e.usage());
        var call = modelCall(session, e.meta(), e.callId(), e.attempt(), e.step(), "transcript");
        call.turnId = turn.turnId;
        call.providerId = Texts.clip(e.provider(), 64);
        call.modelId = Texts.clip(e.model(), 126);
        call.finishReason = code(FinishReason.STOP);
        used(call, e.usage());
        response(call, e.raw());
    }

    private void heard(Row.Message message, Block.File recording, EventMeta meta) {
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null && Parts.isUnheard(part, recording)) {
                touch(part, meta);
                Parts.hear(part, Objects.requireNonNull(recording.transcript()));
            }
        }
    }

    private String words(Row.Message message) {
        var blocks = new ArrayList<Block>();
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null) {
                Parts.said(part).ifPresent(blocks::add);
            }
        }
        return Message.text(blocks);
    }

    /** The message that the model is about to write: what is appended while it is there ends the turn unanswered. */
    private Optional<Row.Message> inFlight(Row.Turn turn) {
        return rows.messages(turn).values().stream()
                .filter(message -> !message.answered)
                .findFirst();
    }

    private void open(Row.Message message, Row.Turn turn, int step) {
        message.answered = false;
        message.completedTs = null;
        message.agent = turn.agent;
        var asking = rows.messages(turn).get(0);
        message.parentId = asking == null ? null : asking.messageId;
        made(message, Parts.stepStart(message, step));
    }

    private void answered(Row.Session session, ModelCalled e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = rows.messages(turn).get(e.index());
        if (message != null && message.answered) {
            throw new Rejected("message " + e.index() + " of turn " + turn.turnId + " was answered before");
        }
        touch(turn, e.meta());
        if (message == null) {
            message = message(session, turn, e.meta(), e.index(), Role.ASSISTANT);
            open(message, turn, e.step());
        }
        touch(message, e.meta());
        answer(message, e);
        used(session, turn, message, e.usage());
        turn.providerId = message.providerId;
        turn.modelId = message.modelId;
        session.providerId = message.providerId;
        session.modelId = message.modelId;
        response(session, message, e);
    }

    private void answer(Row.Message message, ModelCalled e) {
        message.answered = true;
        message.interrupted = e.interrupted();
        message.finishReason = code(e.finish());
        message.providerId = Texts.clip(e.provider(), 64);
        message.modelId = Texts.clip(e.model(), 126);
        parts(message, 1, e.blocks());
        made(message, Parts.stepFinish(message, message.partCount, message.finishReason, e.usage()));
        message.openTools = Message.toolCalls(e.blocks()).size();
        message.completedTs = message.openTools == 0 ? at(e.meta()) : null;
    }

    private static void used(Row.Session session, Row.Turn turn, Row.Message message, Usage usage) {
        BigDecimal cost = Parts.cost(usage);
        add(message.tokens, usage);
        add(turn.tokens, usage);
        add(session.tokens, usage);
        message.cost = cost;
        message.costKnown = cost != null;
        turn.cost = cost == null || turn.cost == null ? null : turn.cost.add(cost);
        if (cost == null) {
            session.unpricedCount++;
        } else {
            session.totalCost = session.totalCost.add(cost);
        }
    }

    private static void add(Row.Tokens tokens, Usage usage) {
        tokens.input += usage.input();
        tokens.output += usage.output();
        tokens.reasoning += usage.reasoning();
        tokens.cacheRead += usage.cacheRead();
        tokens.cacheWrite += usage.cacheWrite();
    }

    private void response(Row.Session session, Row.Message message, ModelCalled e) {
        var call = modelCall(session, e.meta(), e.callId(), e.attempt(), e.step(), "reply");
        call.turnId = message.turnId;
        call.providerId = message.providerId;
        call.modelId = message.modelId;
        call.finishReason = code(e.finish());
        call.errorType = message.errorType;
        call.errorDetail = message.errorMessage;
        used(call, e.usage());
        paid(call, e.payer());
        response(call, e.raw());
    }

    private static void paid(Row.ModelCall call, @Nullable Payer payer) {
        if (payer != null) {
            call.payer = payer.owner().code();
            call.credentialId = payer.credential();
        }
    }

    private static void response(Row.ModelCall call, @Nullable String raw) {
        if (raw != null) {
            call.responseRaw = Texts.clean(raw);
            call.responseSha256 = sha256(raw);
        }
    }

    private static void used(Row.ModelCall call, Usage usage) {
        call.tokensInput = usage.input();
        call.tokensOutput = usage.output();
        call.tokensReasoning = usage.reasoning();
        call.tokensCacheRead = usage.cacheRead();
        call.tokensCacheWrite = usage.cacheWrite();
        call.cost = Parts.cost(usage);
    }

    /** The message keeps the error until an answer, or what there is of one, takes its place. */
    private void callFailed(ModelCallFailed e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = inFlight(turn).orElse(null);
        touch(turn, e.meta());
        if (message != null) {
            touch(message, e.meta());
        }
        String purpose = e.purpose().name().toLowerCase(Locale.ROOT);
        var call = modelCall(turn, e.meta(), e.callId(), e.attempt(), e.step(), purpose);
        call.turnId = turn.turnId;
        call.providerId = message == null ? null : message.providerId;
        call.modelId = message == null ? null : message.modelId;
        call.finishReason = code(FinishReason.ERROR);
        call.errorType = e.category().code();
        call.errorDetail = Texts.clean(e.detail());
    }

    private Row.ModelCall modelCall(Row parent, EventMeta meta, UUID callId, int attempt, int step, String purpose) {
        var call = within(parent, meta, new Row.ModelCall());
        call.callId = callId;
        call.attempt = attempt;
        call.step = step;
        call.purpose = purpose;
        call.completedTs = at(meta);
        return call;
    }

    // ---- tool calls

    private void toolRequested(ToolRequested e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, e.message());
        Row.Part part = part(message, e.part());
        Row.ToolCall call = rows.toolCall(turn.hostId, e.callId());
        if (call == null) {
            call = newCall(turn, part, e);
        }
        touch(call, e.meta());
        call.attempt = e.attempt();
        touch(part, e.meta());
        part.toolStatus = Parts.RUNNING;
        touch(turn, e.meta());
        turn.state = waiting(turn);
    }

    private Row.ToolCall newCall(Row.Turn turn, Row.Part part, ToolRequested e) {
        var call = within(turn, e.meta(), new Row.ToolCall());
        call.callId = e.callId();
        call.turnId = turn.turnId;
        call.partId = part.partId;
        call.step = e.step();
        call.idx = e.index();
        call.toolName = Texts.clip(e.name(), 126);
        call.childKey = e.child() == null ? null : e.child().toString();
        call.status = Parts.RUNNING;
        call.createdTs = at(e.meta());
        rows.add(call);
        if (call.childKey == null) {
            turn.openTools++;
        } else {
            turn.openChildren++;
        }
        return call;
    }

    private void permissionDecided(PermissionDecided e) {
        Row.ToolCall call = running(turn(e.meta()), e.callId());
        touch(call, e.meta());
        call.subject = e.value().isEmpty() ? null : Texts.clean(e.value());
        call.permission = e.action().code();
        call.ruleId = e.rule();
    }

    private void approvalRequested(ApprovalRequested e) {
        Row.Turn turn = turn(e.meta());
        Row.ToolCall call = running(turn, e.callId());
        touch(call, e.meta());
        call.approvalId = e.approvalId();
        call.approval = ASKED;
        call.approvalReason = e.reason() == null ? null : Texts.clean(e.reason());
        call.approvalUntil = e.expiresAt().truncatedTo(ChronoUnit.MICROS);
        touch(turn, e.meta());
        turn.openApprovals++;
        turn.state = waiting(turn);
    }

    private void approvalDecided(ApprovalDecided e) {
        Row.Turn turn = turn(e.meta());
        Row.ToolCall call = running(turn, e.callId());
        touch(call, e.meta());
        call.approvalUser = Texts.clipped(e.by(), 256);
        touch(turn, e.meta());
        answered(turn, call, lower(e.answer()));
        turn.state = waiting(turn);
    }

    /** The question, if it was still asked, is so no longer. */
    private static void answered(Row.Turn turn, Row.ToolCall call, String answer) {
        if (ASKED.equals(call.approval)) {
            call.approval = answer;
            turn.openApprovals--;
        }
    }

    private Row.ToolCall running(Row.Turn turn, UUID callId) {
        Row.ToolCall call = rows.toolCall(turn.hostId, callId);
        if (call == null || !call.status.equals(Parts.RUNNING)) {
            throw new Rejected("tool call " + callId + " is not running");
        }
        return call;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private void toolCalled(ToolCalled e) {
        Row.Turn turn = turn(e.meta());
        Row.Message message = message(turn, e.message());
        Row.Part part = part(message, e.part());
        Row.ToolCall call = running(turn, e.callId());
        boolean isError = e.status() != ToolStatus.COMPLETED;
        answered(turn, call, "withdrawn");
        touch(part, e.meta());
        Parts.answer(part, e.content(), isError, e.files(), e.patches());
        touch(call, e.meta());
        call.status = isError ? Parts.ERROR : Parts.COMPLETED;
        call.unknown = e.status() == ToolStatus.UNKNOWN;
        call.completedTs = at(e.meta());
        touch(message, e.meta());
        message.openTools--;
        message.completedTs = message.openTools == 0 ? at(e.meta()) : null;
        touch(turn, e.meta());
        if (call.childKey == null) {
            turn.openTools--;
        } else {
            turn.openChildren--;
        }
        turn.state = waiting(turn);
    }

    private static String waiting(Row.Turn turn) {
        TurnState state = turn.openApprovals > 0
                ? TurnState.WAITING_APPROVAL
                : turn.openTools > 0
                        ? TurnState.WAITING_TOOL
                        : turn.openChildren > 0 ? TurnState.WAITING_CHILD : TurnState.RUNNING_MODEL;
        return state.name();
    }

    // ---- rows

    private Row.Turn turn(EventMeta meta) {
        Row.Turn turn = meta.turnId() == null ? null : rows.turn(meta.host(), meta.turnId());
        if (turn == null) {
            throw new Rejected("turn " + meta.turnId() + " is not known: the event that accepted it is missing");
        }
        if (turn.completedTs != null) {
            throw new Rejected("turn " + turn.turnId + " has ended before");
        }
        return turn;
    }

    private Row.Message message(Row.Turn turn, int index) {
        Row.Message message = rows.messages(turn).get(index);
        if (message == null) {
            throw new Rejected("message " + index + " of turn " + turn.turnId + " is missing");
        }
        return message;
    }

    private Row.Part part(Row.Message message, int idx) {
        Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
        if (part == null || part.toolStatus == null) {
            throw new Rejected("part " + idx + " of message " + message.messageId + " is no open tool call");
        }
        return part;
    }

    private Row.Message message(Row.Session session, Row.Turn turn, EventMeta meta, int index, Role role) {
        return message(session, turn, meta, index, code(role));
    }

    private Row.Message message(Row.Session session, Row.Turn turn, EventMeta meta, int index, String role) {
        var message = message(session, meta, Ids.message(turn.turnId, index), index, role);
        add(turn, message);
        return message;
    }

    private void add(Row.Turn turn, Row.Message message) {
        message.turnId = turn.turnId;
        turn.messageCount = Math.max(turn.messageCount, message.seq + 1);
        rows.add(message);
    }

    private Row.Message message(Row.Session session, EventMeta meta, UUID id, int seq, String role) {
        var message = within(session, meta, new Row.Message());
        message.messageId = id;
        message.seq = seq;
        message.position = meta.seq();
        message.role = role;
        message.createdTs = at(meta);
        message.completedTs = message.createdTs;
        session.messageCount += role.equals(SYSTEM) ? 0 : 1; // nobody said it
        return message;
    }

    private void parts(Row.Message message, int from, List<Block> blocks) {
        int idx = from;
        for (Block block : blocks) {
            made(message, Parts.of(message, idx++, block));
            unknownItems += Parts.isUnknown(block) ? 1 : 0;
        }
    }

    private void made(Row.Message message, Row.Part part) {
        part.updateUser = message.updateUser;
        message.partCount = part.idx + 1;
        rows.add(part);
        rows.changed(part);
    }

    /** What is named once stays the session's, also where its message is replaced: who erases it erases its files. */
    private void named(Row.Session session, String sha256, EventMeta meta) {
        var file = within(session, meta, new Row.SessionFile());
        file.sha256 = Texts.clip(sha256, 64);
        rows.add(file);
    }

    private void history(Row.Session session, EventMeta meta) {
        var history = new Row.History();
        history.hostId = session.hostId;
        history.projectId = session.projectId;
        history.sessionId = session.sessionId;
        history.bankId = session.bankId;
        history.version = meta.seq();
        history.updateTs = at(meta);
        rows.add(history);
    }

    private <R extends Row> R within(Row parent, EventMeta meta, R row) {
        row.hostId = parent.hostId;
        row.projectId = parent.projectId;
        row.sessionId = parent.sessionId;
        touch(row, meta);
        return row;
    }

    private void touch(Row row, EventMeta meta) {
        row.version = meta.seq();
        row.updateTs = at(meta);
        rows.changed(row);
    }

    /** Postgres keeps microseconds. */
    private static Instant at(EventMeta meta) {
        return meta.at().truncatedTo(ChronoUnit.MICROS);
    }

    private static String code(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static String code(FinishReason finish) {
        return finish.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
