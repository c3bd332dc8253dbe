package dev.parley.agents.turn;

import static dev.parley.platform.kafka.Topics.AUDIT;
import static dev.parley.platform.kafka.Topics.ERASURES;
import static dev.parley.platform.kafka.Topics.MEMORY_COMMANDS;
import static dev.parley.platform.kafka.Topics.MODEL_REQUESTS;
import static dev.parley.platform.kafka.Topics.OUTCOMES;
import static dev.parley.platform.kafka.Topics.REPLIES;
import static dev.parley.platform.kafka.Topics.RESULTS;
import static dev.parley.platform.kafka.Topics.RULE_REQUESTS;
import static dev.parley.platform.kafka.Topics.TOOL_REQUESTS;
import static dev.parley.platform.kafka.Topics.TURN_COMMANDS;
import static dev.parley.platform.kafka.Topics.TURN_DELTAS;
import static dev.parley.platform.kafka.Topics.TURN_EVENTS;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.erasure.ErasureRecord;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.TurnDecision;
import dev.parley.domain.turn.TurnEffect;
import dev.parley.domain.turn.TurnEffect.*;
import dev.parley.platform.definitions.ToolDigests;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.Writes;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prepares a turn decision as records and store entries. */
final class TurnOutput {
    /** Upper bound of a request's bytes per character, including Avro and field names. */
    private static final int MAX_BYTES_PER_CHARACTER = 8;

    /** Maximum delay of the commit of an acceptance, for which its sender waits. */
    private static final Duration ACCEPTED_COMMIT_DELAY = Duration.ofMillis(15);

    /** Maximum delay of the commit of a stream delta. */
    private static final Duration DELTA_COMMIT_DELAY = Duration.ofMillis(20);

    private static final Logger LOG = LoggerFactory.getLogger(TurnOutput.class);

    private final Sinks sinks;
    private final TaskDispatch dispatch;
    private final TurnStore store;
    private final ToolDigests toolDigests;
    private final Tracing tracing;
    private final @Nullable TurnMeters meters;

    TurnOutput(
            Sinks sinks,
            TaskDispatch dispatch,
            TurnStore store,
            ToolDigests toolDigests,
            Tracing tracing,
            @Nullable MeterRegistry meters) {
        this.sinks = sinks;
        this.dispatch = dispatch;
        this.store = store;
        this.toolDigests = toolDigests;
        this.tracing = tracing;
        this.meters = meters == null ? null : new TurnMeters(meters);
    }

    /**
     * Prepares the events and effects of a decision. Effects that cannot be executed become further inputs of the
     * machine.
     */
    void prepare(
            SessionState before,
            TurnDecision decisions,
            Instant now,
            @Nullable String inputTrace,
            Writes<TurnInput> writes) {
        var step = new Step(before, decisions.state(), now, inputTrace, writes, new TreeMap<>());
        for (TurnEvent event : decisions.events()) {
            if (event.isPublished()) {
                publish(step, event);
            }
            if (meters != null) {
                writes.add(() -> meters.count(event, before));
            }
        }
        for (TurnEffect effect : decisions.effects()) {
            prepare(step, effect);
            Duration delay = commitDelay(effect);
            if (delay != null) {
                writes.add(() -> dispatch.requestCommit(delay));
            }
        }
    }

    /**
     * The context of one decision.
     *
     * @param added entries that the decision stores, which the store does not have yet
     */
    private record Step(
            SessionState before,
            SessionState after,
            Instant now,
            @Nullable String inputTrace,
            Writes<TurnInput> writes,
            NavigableMap<Long, Entry> added) {
        RecordKey key() {
            return after.key();
        }

        /**
         * The trace of the turn that a record belongs to, else that of the input: a queued turn keeps its own trace.
         */
        @Nullable
        String trace(@Nullable UUID turnId) {
            return Stream.of(after, before)
                    .flatMap(state -> Stream.ofNullable(state.active()))
                    .filter(turn -> turn.turnId().equals(turnId))
                    .flatMap(turn -> Stream.ofNullable(turn.turn().trace()))
                    .findFirst()
                    .orElse(inputTrace);
        }

        @Nullable
        String trace() {
            ActiveTurn turn = after.active();
            return trace(turn == null ? null : turn.turnId());
        }
    }

    private void publish(Step step, TurnEvent event) {
        String key = step.key() + "#" + event.meta().seq();
        send(
                TURN_EVENTS,
                step,
                key,
                event,
                Ids.of("event", key),
                step.trace(event.meta().turnId()));
    }

    private void prepare(Step step, TurnEffect effect) {
        switch (effect) {
            case StoreEntry(long index, Entry entry) -> {
                step.added().put(index, entry);
                step.writes().add(store.prepareEntry(step.key(), index, entry));
            }
            case DeleteEntries(long from, long to) ->
                step.writes().add(() -> store.deleteEntries(step.key(), from, to));
            case RequestModel requestModel -> requestModel(step, requestModel);
            case SendBankCommand(var command) ->
                send(
                        MEMORY_COMMANDS,
                        step,
                        command.bank().key().toString(),
                        command,
                        command.meta().commandId());
            case RequestTool(var call) ->
                request(TOOL_REQUESTS, step, call, requestId(call.callId(), call.attempt()), () -> call);
            case RequestRule(var rule) -> send(RULE_REQUESTS, step, rule.host().toString(), rule, rule.id());
            case CancelModel(UUID callId) -> step.writes().add(() -> cancel(MODEL_REQUESTS, step, callId));
            case CancelTool(UUID callId) -> step.writes().add(() -> cancel(TOOL_REQUESTS, step, callId));
            case ReportTakeOver report -> reportTakeOver(step, report);
            case SendCommand(var to, var command) ->
                send(TURN_COMMANDS, step, to.toString(), command, command.meta().commandId());
            case SendContext seed -> sendContext(step, seed);
            case SendResult(var to, var result) ->
                send(RESULTS, step, to.toString(), result, Ids.of("answer", result.callId()));
            case DeliverReply(var reply) ->
                send(REPLIES, step, reply.to().bot(), reply, reply.replyId(), step.trace(reply.turnId()));
            case PublishDelta(var delta) -> publishDelta(step, delta);
            case StoreOutcome remember -> storeOutcome(step, remember);
            case EraseSession erase -> eraseSession(step, erase);
            case SendOutcome outcome -> sendOutcome(step, outcome);
        }
    }

    private void reportTakeOver(Step step, ReportTakeOver report) {
        step.writes().add(() -> {
            LOG.atWarn()
                    .addKeyValue("session", step.key())
                    .addKeyValue(
                            "owner",
                            report.owner().kind().code() + " " + report.owner().name())
                    .addKeyValue(
                            "former",
                            report.former().kind().code() + " "
                                    + report.former().name())
                    .addKeyValue("formerSession", report.entry().subject())
                    .log("session opened by somebody else refused by the owner of its key, which opened another");
            if (meters != null) {
                meters.countTakeOver(report.owner());
            }
        });
        send(
                AUDIT,
                step,
                report.entry().host().toString(),
                report.entry(),
                report.entry().id(),
                null);
    }

    private static UUID requestId(UUID callId, int attempt) {
        return Ids.of("ask", callId, attempt);
    }

    private void publishDelta(Step step, TurnDelta delta) {
        var id = Ids.of("delta", delta.turnId(), step.after().lastSeq(), delta.kind());
        send(TURN_DELTAS, step, step.key().toString(), delta, id, step.trace(delta.turnId()));
    }

    private void sendOutcome(Step step, SendOutcome effect) {
        UUID id = Ids.of("outcome", effect.outcome(), effect.partition());
        String key = Integer.toString(effect.partition());
        step.writes().add(() -> {
            if (!dispatch.notifyWaiter(effect.partition(), effect.outcome())) {
                sinks.send(OUTCOMES, key, effect.outcome(), id, step.now(), step.trace());
            }
        });
    }

    /** @param onTopic the request as it is written to its topic */
    private <V> void request(Topic<? super V> topic, Step step, V request, UUID id, Supplier<V> onTopic) {
        String trace = step.trace();
        step.writes()
                .add(() -> dispatch.request(topic, step.key(), request, trace, () -> {
                    dispatch.requestCommit(Duration.ZERO); // a worker of another instance waits for it
                    sinks.send(topic, step.key().toString(), onTopic.get(), id, step.now(), trace);
                }));
    }

    private void cancel(Topic<? super CancelCall> topic, Step step, UUID callId) {
        if (!dispatch.cancel(topic, callId)) {
            UUID id = Ids.of("stop", callId);
            sinks.send(topic, step.key().toString(), new CancelCall(callId), id, step.now(), step.trace());
        }
    }

    /** Maximum delay of the commit of an effect; null where the effect does not need a commit of its own. */
    private static @Nullable Duration commitDelay(TurnEffect effect) {
        return switch (effect) {
            case SendCommand _,
                    ReportTakeOver _,
                    SendContext _,
                    SendResult _,
                    DeliverReply _,
                    EraseSession _,
                    CancelModel _,
                    CancelTool _ -> Duration.ZERO;
            case SendOutcome sent -> sent.outcome() instanceof Outcome.Accepted ? ACCEPTED_COMMIT_DELAY : Duration.ZERO;
            case PublishDelta _ -> DELTA_COMMIT_DELAY;
            case StoreEntry _,
                    DeleteEntries _,
                    RequestModel _,
                    RequestTool _,
                    SendBankCommand _,
                    RequestRule _,
                    StoreOutcome _ -> null;
        };
    }

    private void eraseSession(Step step, EraseSession erase) {
        step.writes().add(() -> store.outcomes().erase(step.key()));
        var session = step.after().open();
        var sessionGone = new ErasureRecord.SessionGone(
                erase.erasure(), session.host(), step.key(), session.epoch() + 1, step.now(), session.remembered());
        send(ERASURES, step, sessionGone.key(), sessionGone, erase.erasure());
    }

    private void storeOutcome(Step step, StoreOutcome remember) {
        step.writes().add(store.outcomes().prepare(step.key(), remember.commandId(), remember.outcome(), step.now()));
        if (remember.outcome() instanceof Outcome.Finished turn) {
            var attributes = Map.ofEntries(
                    Map.entry("session.key", step.key().toString()),
                    Map.entry("session.id", turn.sessionId().toString()),
                    Map.entry("turn.id", turn.turnId().toString()),
                    Map.entry("turn.state", turn.state().name()));
            String failure = turn.error() == null ? null : turn.error().code();
            String trace = step.trace(turn.turnId());
            step.writes().add(() -> tracing.record("turn", trace, turn.createdAt(), attributes, failure));
        }
    }

    private void requestModel(Step step, RequestModel effect) {
        var request = effect.request(step.after().open(), entries(step, effect.from(), effect.to()));
        Optional<String> tooLong = tooLong(request);
        if (tooLong.isPresent()) {
            step.writes()
                    .then(new CallResult.ModelFailed(
                            effect.callId(),
                            effect.attempt(),
                            ErrorCategory.CONTEXT_TOO_LONG,
                            tooLong.get(),
                            null,
                            List.of()));
            return;
        }
        request(
                MODEL_REQUESTS,
                step,
                request,
                requestId(effect.callId(), effect.attempt()),
                () -> shortenTools(step, request));
    }

    /** Entries of the session, with those that this decision stores. */
    private List<Entry> entries(Step step, long from, long to) {
        var entries = new ArrayList<Entry>();
        long next = from;
        for (var added : step.added().subMap(from, to).entrySet()) {
            entries.addAll(store.entries(step.key(), next, added.getKey()));
            entries.add(added.getValue());
            next = added.getKey() + 1;
        }
        entries.addAll(store.entries(step.key(), next, to));
        return entries;
    }

    /**
     * The first attempt names tools by digest; a worker that does not know them retries, and then receives the full
     * text.
     */
    private ModelRequest shortenTools(Step step, ModelRequest request) {
        return request.attempt() == 1 ? toolDigests.shorten(request, step.key().projectId()) : request;
    }

    /**
     * The error of a request that exceeds the limit of its topic. Only a request that may exceed it is serialised to
     * measure it.
     */
    private static Optional<String> tooLong(ModelRequest request) {
        int limit = MODEL_REQUESTS.maxBytes();
        if (request.weight() < limit / MAX_BYTES_PER_CHARACTER) {
            return Optional.empty();
        }
        int bytes = RecordCodec.write(MODEL_REQUESTS, new RecordHeaders(), request).length;
        return bytes > limit
                ? Optional.of("the request has %d bytes; the limit is %d".formatted(bytes, limit))
                : Optional.empty();
    }

    private void sendContext(Step step, SendContext seed) {
        List<Entry> entries = entries(step, seed.from(), seed.end());
        for (SeedContext piece : ForkPieces.of(seed.piece(), entries)) {
            send(TURN_COMMANDS, step, seed.to().toString(), piece, ForkPieces.id(piece.forkId(), piece.piece()));
        }
    }

    private <V> void send(Topic<? super V> topic, Step step, String key, V value, UUID id) {
        send(topic, step, key, value, id, step.trace());
    }

    private <V> void send(Topic<? super V> topic, Step step, String key, V value, UUID id, @Nullable String trace) {
        step.writes().add(sinks.prepare(topic, key, value, id, step.now(), trace));
    }

    /** Publishes the last stream delta of a call, before its result. */
    void publishDelta(TaskDispatch.Answer answer, TurnDelta delta, Instant now) {
        var id = Ids.of("delta", answer.result().callId(), answer.result().attempt(), delta.kind(), delta.text());
        sinks.send(TURN_DELTAS, answer.key().toString(), delta, id, now, answer.trace());
    }
}
