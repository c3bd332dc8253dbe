package dev.parley.agents.turn;

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
import dev.parley.domain.turn.Effect;
import dev.parley.domain.turn.Effect.*;
import dev.parley.domain.turn.TurnDecision;
import dev.parley.platform.definitions.ToolDigests;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
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

/** Turns decisions into records and store entries. It is long because it has a case for each effect. */
final class TurnOutput {
    /** Weight at which a fork's context is cut into the next piece. */
    private static final int PIECE = 1 << 20;

    /** In a request, with what Avro and names add. */
    private static final int BYTES_A_CHARACTER = 8;

    /** How long whoever gave a command may wait for its acceptance, and a watcher for what is shown. */
    private static final Duration SOON = Duration.ofMillis(15);

    private static final Duration SHOWN = Duration.ofMillis(20);

    private final Sinks sinks;
    private final TaskDispatch lane;
    private final TurnStore store;
    private final ToolDigests toolDigests;
    private final Tracing tracing;
    private final @Nullable TurnMeters meters;

    TurnOutput(
            ProcessorContext<byte[], byte[]> context,
            TaskDispatch lane,
            TurnStore store,
            ToolDigests toolDigests,
            Tracing tracing,
            @Nullable MeterRegistry meters) {
        this.sinks = new Sinks(context, "turns");
        this.lane = lane;
        this.store = store;
        this.toolDigests = toolDigests;
        this.tracing = tracing;
        this.meters = meters == null ? null : new TurnMeters(meters);
    }

    /**
     * Writes what was decided.
     *
     * @return what the machine has to be told because it could not be written
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
        var back = new ArrayList<TurnInput>();
        for (Effect effect : decisions.effects()) {
            carryOut(step, effect).ifPresent(back::add);
            Duration within = waits(effect);
            if (within != null) {
                lane.wantCommit(within);
            }
        }
        return back;
    }

    /** What the effects of one decision have in common. */
    private record Step(
            SessionState before,
            SessionState after,
            Instant now,
            @Nullable String inputTrace) {
        RecordKey key() {
            return after.key();
        }

        /** The trace of the turn that a record belongs to: a queued turn's is not that of what woke it. */
        @Nullable
        String trace(@Nullable UUID turnId) {
            for (ActiveTurn turn : active()) {
                if (turn.turnId().equals(turnId) && turn.turn().trace() != null) {
                    return turn.turn().trace();
                }
            }
            return inputTrace;
        }

        private List<ActiveTurn> active() {
            var turns = new ArrayList<ActiveTurn>();
            Optional.ofNullable(after.active()).ifPresent(turns::add);
            Optional.ofNullable(before.active()).ifPresent(turns::add);
            return turns;
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
                Topics.TURN_EVENTS,
                key,
                event,
                Ids.of("event", key),
                step.now(),
                step.trace(event.meta().turnId()));
    }

    private Optional<TurnInput> carryOut(Step step, Effect effect) {
        switch (effect) {
            case Keep keep -> store.keep(step.key(), keep.index(), keep.entry());
            case Forget forget -> store.forget(step.key(), forget.from(), forget.to());
            case AskModel ask -> {
                return askModel(step, ask);
            }
            case AskBank ask ->
                send(
                        Topics.MEMORY_COMMANDS,
                        ask.command().bank().key().toString(),
                        ask.command(),
                        ask.command().meta().commandId(),
                        step.now(),
                        step.trace());
            case AskTool ask ->
                ask(
                        Topics.TOOL_REQUESTS,
                        step,
                        ask.request(),
                        Ids.of("ask", ask.request().callId(), ask.request().attempt()),
                        ask::request);
            case AskRule ask ->
                send(
                        Topics.RULE_REQUESTS,
                        ask.request().host().toString(),
                        ask.request(),
                        ask.request().id(),
                        step.now(),
                        step.trace());
            case StopModel stop -> stop(Topics.MODEL_REQUESTS, step, stop.callId());
            case StopTool stop -> stop(Topics.TOOL_REQUESTS, step, stop.callId());
            case Send send ->
                send(
                        Topics.TURN_COMMANDS,
                        send.to().toString(),
                        send.command(),
                        send.command().meta().commandId(),
                        step.now(),
                        step.trace());
            case Seed seed -> seed(step, seed);
            case Answer answer ->
                send(
                        Topics.RESULTS,
                        answer.to().toString(),
                        answer.result(),
                        Ids.of("answer", answer.result().callId()),
                        step.now(),
                        step.trace());
            case Deliver deliver ->
                send(
                        Topics.REPLIES,
                        deliver.reply().to().bot(),
                        deliver.reply(),
                        deliver.reply().replyId(),
                        step.now(),
                        step.trace(deliver.reply().turnId()));
            case Show show ->
                send(
                        Topics.TURN_DELTAS,
                        step.key().toString(),
                        show.delta(),
                        Ids.of(
                                "delta",
                                show.delta().turnId(),
                                step.after().lastSeq(),
                                show.delta().kind()),
                        step.now(),
                        step.trace(show.delta().turnId()));
            case Remember remember -> remember(step, remember);
            case Erase erase -> erase(step, erase);
            case Tell tell -> tell(step, tell);
        }
        return Optional.empty();
    }

    private void tell(Step step, Tell tell) {
        if (!lane.tell(tell.partition(), tell.outcome())) {
            send(
                    Topics.OUTCOMES,
                    Integer.toString(tell.partition()),
                    tell.outcome(),
                    Ids.of("outcome", tell.outcome(), tell.partition()),
                    step.now(),
                    step.trace());
        }
    }

    /** @param travelling the request as it goes by its topic */
    private <V> void ask(Topic<? super V> topic, Step step, V request, UUID id, Supplier<V> travelling) {
        String trace = step.trace();
        lane.ask(topic, step.key(), request, trace, () -> {
            lane.wantCommit(Duration.ZERO); // a worker elsewhere waits for it
            send(topic, step.key().toString(), travelling.get(), id, step.now(), trace);
        });
    }

    private void stop(Topic<? super CancelCall> topic, Step step, UUID callId) {
        if (!lane.cancel(topic, callId)) {
            send(topic, step, new CancelCall(callId), Ids.of("stop", callId));
        }
    }

    /** How long the commit of an effect may be put off; null where nobody waits for it more than for the step. */
    private static @Nullable Duration waits(Effect effect) {
        return switch (effect) {
            case Send _, Seed _, Answer _, Deliver _, Erase _, StopModel _, StopTool _ -> Duration.ZERO;
            case Tell tell -> tell.outcome() instanceof Outcome.Accepted ? SOON : Duration.ZERO;
            case Show _ -> SHOWN;
            case Keep _, Forget _, AskModel _, AskTool _, AskBank _, AskRule _, Remember _ -> null;
        };
    }

    private void erase(Step step, Erase erase) {
        store.outcomes().erase(step.key());
        var session = step.after().open();
        var gone = new ErasureRecord.SessionGone(
                erase.erasure(), session.host(), step.key(), session.epoch() + 1, step.now(), session.remembered());
        send(Topics.ERASURES, gone.key(), gone, erase.erasure(), step.now(), step.trace());
    }

    private void remember(Step step, Remember remember) {
        store.outcomes().remember(step.key(), remember.commandId(), remember.outcome(), step.now());
        if (remember.outcome() instanceof Outcome.Finished turn) {
            var about = Map.of(
                    "session.key",
                    step.key().toString(),
                    "session.id",
                    turn.sessionId().toString(),
                    "turn.id",
                    turn.turnId().toString(),
                    "turn.state",
                    turn.state().name());
            String failure = turn.error() == null ? null : turn.error().code();
            tracing.record("turn", step.trace(turn.turnId()), turn.createdAt(), about, failure);
        }
    }

    private Optional<TurnInput> askModel(Step step, AskModel ask) {
        var messages = Stream.concat(
                        store.entries(step.key(), ask.from(), ask.to()).stream().map(Entry::message),
                        ask.more().stream())
                .toList();
        var request = ask.request(step.after().open(), messages);
        Optional<String> tooLong = tooLong(request);
        if (tooLong.isPresent()) {
            return tooLong.map(detail -> TurnProcessor.tooLong(ask.callId(), ask.attempt(), detail));
        }
        ask(
                Topics.MODEL_REQUESTS,
                step,
                request,
                Ids.of("ask", ask.callId(), ask.attempt()),
                () -> travelling(step, request));
        return Optional.empty();
    }

    /** A worker that did not know the tools asks for the call again, and is told all of it then. */
    private ModelRequest travelling(Step step, ModelRequest request) {
        return request.attempt() == 1
                ? toolDigests.shortened(request, step.key().projectId())
                : request;
    }

    /** What is wrong with the size of a request; only one that may be too long is written to know its size. */
    private static Optional<String> tooLong(ModelRequest request) {
        int most = Topics.MODEL_REQUESTS.maxBytes();
        if (request.weight() < most / BYTES_A_CHARACTER) {
            return Optional.empty();
        }
        int bytes = RecordCodec.write(Topics.MODEL_REQUESTS, new RecordHeaders(), request).length;
        return bytes > most
                ? Optional.of("the request would have %d bytes, %d is the limit".formatted(bytes, most))
                : Optional.empty();
    }

    private void seed(Step step, Seed seed) {
        var pieces = pieces(store.entries(step.key(), seed.from(), seed.end()));
        SeedContext one = seed.piece();
        for (int i = 0; i < pieces.size(); i++) {
            UUID id = Ids.of("seed", one.forkId(), i);
            var piece = new SeedContext(
                    i == 0 ? one.meta() : one.meta().silent(id),
                    one.forkId(),
                    one.source(),
                    one.sourceSessionId(),
                    one.forkedFrom(),
                    i,
                    pieces.size(),
                    one.agent(),
                    one.title(),
                    one.summary(),
                    pieces.get(i));
            send(Topics.TURN_COMMANDS, seed.to().toString(), piece, id, step.now(), step.trace());
        }
    }

    /** At least one piece, also of nothing. */
    private static List<List<Entry>> pieces(List<Entry> entries) {
        var pieces = new ArrayList<List<Entry>>();
        var piece = new ArrayList<Entry>();
        int weight = 0;
        for (Entry entry : entries) {
            if (weight > 0 && weight + entry.message().weight() > PIECE) {
                pieces.add(List.copyOf(piece));
                piece.clear();
                weight = 0;
            }
            piece.add(entry.copied());
            weight += entry.message().weight();
        }
        pieces.add(List.copyOf(piece));
        return pieces;
    }

    private <V> void send(Topic<? super V> topic, Step step, V value, UUID id) {
        send(topic, step.key().toString(), value, id, step.now(), step.trace());
    }

    private <V> void send(Topic<? super V> topic, String key, V value, UUID id, Instant now, @Nullable String trace) {
        sinks.send(topic, key, value, id, now, trace);
    }

    /** Puts a record aside with its bytes and headers as they were. */
    void deadLetter(Record<byte[], byte[]> record, String by, Throwable cause) {
        sinks.bury(record, by, cause);
    }

    /** Shows what a call has said last, before its answer. */
    void show(TaskDispatch.Answer answer, TurnDelta delta, Instant now) {
        var id = Ids.of("delta", answer.result().callId(), answer.result().attempt(), delta.kind(), delta.text());
        send(Topics.TURN_DELTAS, answer.key().toString(), delta, id, now, answer.trace());
    }

    /** Puts an answer aside that came in memory, as the record that it would have been. */
    void deadLetter(TaskDispatch.Answer answer, String by, Throwable cause) {
        var headers = new RecordHeaders();
        byte[] body = RecordCodec.write(Topics.RESULTS, headers, answer.result());
        byte[] key = answer.key().toString().getBytes(StandardCharsets.UTF_8);
        sinks.bury(new Record<>(key, body, 0, headers), by, cause);
    }
}
