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
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.Entry;
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
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a turn decision as records and store entries. It is long because it has a case for each effect. */
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
            ProcessorContext<byte[], byte[]> context,
            TaskDispatch dispatch,
            TurnStore store,
            ToolDigests toolDigests,
            Tracing tracing,
            @Nullable MeterRegistry meters) {
        this.sinks = new Sinks(context, "turns");
        this.dispatch = dispatch;
        this.store = store;
        this.toolDigests = toolDigests;
        this.tracing = tracing;
        this.meters = meters == null ? null : new TurnMeters(meters);
    }

    /**
     * Writes the events and executes the effects of a decision.
     *
     * @return inputs for the machine about effects that could not be executed
     */
    List<TurnInput> write(SessionState before, TurnDecision decisions, Instant now, @Nullable String inputTrace) {
        var step = new Step(before, decisions.state(), now, inputTrace);
        for (TurnEvent event : decisions.events()) {
            if (event.isPublished()) {
                publish(step, event);
            }
            if (meters != null) {
                meters.count(event, before);
            }
        }
        var rejected = new ArrayList<TurnInput>();
        for (TurnEffect effect : decisions.effects()) {
            execute(step, effect).ifPresent(rejected::add);
            Duration delay = commitDelay(effect);
            if (delay != null) {
                dispatch.requestCommit(delay);
            }
        }
        return rejected;
    }

    /** The context of one decision. */
    private record Step(
            SessionState before,
            SessionState after,
            Instant now,
            @Nullable String inputTrace) {
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
        sinks.send(
                TURN_EVENTS,
                key,
                event,
                Ids.of("event", key),
                step.now(),
                step.trace(event.meta().turnId()));
    }

    private Optional<TurnInput> execute(Step step, TurnEffect effect) {
        switch (effect) {
            case StoreEntry(long index, Entry entry) -> store.putEntry(step.key(), index, entry);
            case DeleteEntries(long from, long to) -> store.deleteEntries(step.key(), from, to);
            case RequestModel requestModel -> {
                return requestModel(step, requestModel);
            }
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
            case CancelModel(UUID callId) -> cancel(MODEL_REQUESTS, step, callId);
            case CancelTool(UUID callId) -> cancel(TOOL_REQUESTS, step, callId);
            case ReportTakeOver report -> reportTakeOver(step, report);
            case SendCommand(var to, var command) ->
                send(TURN_COMMANDS, step, to.toString(), command, command.meta().commandId());
            case SendContext seed -> sendContext(step, seed);
            case SendResult(var to, var result) ->
                send(RESULTS, step, to.toString(), result, Ids.of("answer", result.callId()));
            case DeliverReply(var reply) ->
                sinks.send(REPLIES, reply.to().bot(), reply, reply.replyId(), step.now(), step.trace(reply.turnId()));
            case PublishDelta(var delta) -> publishDelta(step, delta);
            case StoreOutcome remember -> storeOutcome(step, remember);
            case EraseSession erase -> eraseSession(step, erase);
            case SendOutcome outcome -> sendOutcome(step, outcome);
        }
        return Optional.empty();
    }

    private void reportTakeOver(Step step, ReportTakeOver report) {
        LOG.atWarn()
                .addKeyValue("session", step.key())
                .addKeyValue(
                        "owner",
                        report.owner().kind().code() + " " + report.owner().name())
                .addKeyValue(
                        "former",
                        report.former().kind().code() + " " + report.former().name())
                .addKeyValue("formerSession", report.entry().subject())
                .log("session opened by somebody else refused by the owner of its key, which opened another");
        sinks.send(
                AUDIT,
                report.entry().host().toString(),
                report.entry(),
                report.entry().id(),
                step.now(),
                null);
        if (meters != null) {
            meters.countTakeOver(report.owner());
        }
    }

    private static UUID requestId(UUID callId, int attempt) {
        return Ids.of("ask", callId, attempt);
    }

    private void publishDelta(Step step, TurnDelta delta) {
        var id = Ids.of("delta", delta.turnId(), step.after().lastSeq(), delta.kind());
        sinks.send(TURN_DELTAS, step.key().toString(), delta, id, step.now(), step.trace(delta.turnId()));
    }

    private void sendOutcome(Step step, SendOutcome effect) {
        if (!dispatch.notifyWaiter(effect.partition(), effect.outcome())) {
            UUID id = Ids.of("outcome", effect.outcome(), effect.partition());
            send(OUTCOMES, step, Integer.toString(effect.partition()), effect.outcome(), id);
        }
    }

    /** @param onTopic the request as it is written to its topic */
    private <V> void request(Topic<? super V> topic, Step step, V request, UUID id, Supplier<V> onTopic) {
        String trace = step.trace();
        dispatch.request(topic, step.key(), request, trace, () -> {
            dispatch.requestCommit(Duration.ZERO); // a worker of another instance waits for it
            sinks.send(topic, step.key().toString(), onTopic.get(), id, step.now(), trace);
        });
    }

    private void cancel(Topic<? super CancelCall> topic, Step step, UUID callId) {
        if (!dispatch.cancel(topic, callId)) {
            send(topic, step, step.key().toString(), new CancelCall(callId), Ids.of("stop", callId));
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
        store.outcomes().erase(step.key());
        var session = step.after().open();
        var sessionGone = new ErasureRecord.SessionGone(
                erase.erasure(), session.host(), step.key(), session.epoch() + 1, step.now(), session.remembered());
        send(ERASURES, step, sessionGone.key(), sessionGone, erase.erasure());
    }

    private void storeOutcome(Step step, StoreOutcome remember) {
        store.outcomes().remember(step.key(), remember.commandId(), remember.outcome(), step.now());
        if (remember.outcome() instanceof Outcome.Finished turn) {
            var attributes = Map.ofEntries(
                    Map.entry("session.key", step.key().toString()),
                    Map.entry("session.id", turn.sessionId().toString()),
                    Map.entry("turn.id", turn.turnId().toString()),
                    Map.entry("turn.state", turn.state().name()));
            String failure = turn.error() == null ? null : turn.error().code();
            tracing.record("turn", step.trace(turn.turnId()), turn.createdAt(), attributes, failure);
        }
    }

    private Optional<TurnInput> requestModel(Step step, RequestModel effect) {
        var request = effect.request(step.after().open(), store.entries(step.key(), effect.from(), effect.to()));
        Optional<String> tooLong = tooLong(request);
        if (tooLong.isPresent()) {
            return tooLong.map(detail -> TurnProcessor.tooLong(effect.callId(), effect.attempt(), detail));
        }
        request(
                MODEL_REQUESTS,
                step,
                request,
                requestId(effect.callId(), effect.attempt()),
                () -> shortenTools(step, request));
        return Optional.empty();
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
        List<Entry> entries = store.entries(step.key(), seed.from(), seed.end());
        for (SeedContext piece : ForkPieces.of(seed.piece(), entries)) {
            send(TURN_COMMANDS, step, seed.to().toString(), piece, ForkPieces.id(piece.forkId(), piece.piece()));
        }
    }

    private <V> void send(Topic<? super V> topic, Step step, String key, V value, UUID id) {
        sinks.send(topic, key, value, id, step.now(), step.trace());
    }

    /** Sends a record to the dead letters, with its bytes and headers unchanged. */
    void deadLetter(Record<byte[], byte[]> record, String component, Throwable cause) {
        sinks.deadLetter(record, component, cause);
    }

    /** Publishes the last stream delta of a call, before its result. */
    void publishDelta(TaskDispatch.Answer answer, TurnDelta delta, Instant now) {
        var id = Ids.of("delta", answer.result().callId(), answer.result().attempt(), delta.kind(), delta.text());
        sinks.send(TURN_DELTAS, answer.key().toString(), delta, id, now, answer.trace());
    }

    /** Sends a result received in memory to the dead letters, as the record that it would have been on its topic. */
    void deadLetter(TaskDispatch.Answer answer, String component, Throwable cause) {
        var headers = new RecordHeaders();
        byte[] body = RecordCodec.write(RESULTS, headers, answer.result());
        byte[] key = answer.key().toString().getBytes(StandardCharsets.UTF_8);
        sinks.deadLetter(new Record<>(key, body, 0, headers), component, cause);
    }
}
