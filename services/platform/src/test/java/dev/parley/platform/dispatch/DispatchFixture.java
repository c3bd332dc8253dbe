package dev.parley.platform.dispatch;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.platform.kafka.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** A task that runs one step of the test on its dispatch for each record, and a local worker. */
final class DispatchFixture implements AutoCloseable {
    private static final RecordKey KEY = RecordKey.of("cli:ann");

    final MeterRegistry meters = new SimpleMeterRegistry();
    final LocalDispatch localDispatch = LocalDispatch.open(meters);
    final Worker worker = new Worker();
    /** Calls and answers that were sent through their topics. */
    final List<UUID> requestedByTopic = new ArrayList<>();

    final List<UUID> answeredByTopic = new ArrayList<>();
    /** Calls whose answers the topology has processed, in order. */
    final List<UUID> processedAnswers = new ArrayList<>();
    /** Time that processing an answer takes. */
    Duration stepTime = Duration.ZERO;

    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final TopologyTestDriver driver;
    private TaskDispatch dispatch;
    private boolean closed;

    @SuppressWarnings("NullAway.Init") // the driver creates the processor, which creates the dispatch
    DispatchFixture(Path state) {
        StreamThread.current().onDiscarded();
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "dispatch");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        var topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "input");
        topology.addProcessor("steps", Steps::new, "source");
        driver = new TopologyTestDriver(topology, settings, Instant.parse("2026-01-01T00:00:00Z"));
    }

    private final class Steps implements Processor<byte[], byte[], byte[], byte[]> {
        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            dispatch = localDispatch.forTask(context, this::step);
        }

        private void step(TaskDispatch.Answer answer) {
            LockSupport.parkNanos(stepTime.toNanos());
            processedAnswers.add(answer.result().callId());
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            steps.remove().run();
            dispatch.onProcessed();
        }

        @Override
        public void close() {
            dispatch.close();
        }
    }

    /** A worker of the same process, which records its calls. */
    static final class Worker implements LocalWorker<ToolWork> {
        final List<UUID> calls = new ArrayList<>();
        final Map<UUID, ResultReceiver> receivers = new HashMap<>();
        boolean room = true;
        boolean repeatable = true;

        @Override
        public boolean take(ToolWork request, String key, @Nullable String trace, ResultReceiver answers) {
            if (room) {
                UUID callId = ((ToolRequest) request).callId();
                calls.add(callId);
                receivers.put(callId, answers);
            }
            return room;
        }

        @Override
        public boolean isRepeatable(ToolWork request, String key) {
            return repeatable;
        }

        @Override
        public boolean cancel(UUID callId) {
            return receivers.containsKey(callId);
        }
    }

    void serve() {
        localDispatch.serve(Topics.TOOL_REQUESTS, worker);
    }

    /** Processes a record that requests a call. */
    UUID asks(String name) {
        UUID callId = Ids.of(name);
        ToolRequest request = request(callId);
        processes(() -> dispatch.request(
                Topics.TOOL_REQUESTS, KEY, request, null, () -> requestedByTopic.add(request.callId())));
        return callId;
    }

    /** Processes a record with an outcome that is awaited; returns whether its waiter is notified. */
    boolean tells(Outcome outcome) {
        boolean[] notified = {false};
        processes(() -> notified[0] = dispatch.notifyWaiter(0, outcome));
        return notified[0];
    }

    void processes(Runnable step) {
        steps.add(step);
        driver.createInputTopic("input", new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new byte[0], new byte[0]);
    }

    /** The worker answers a call; returns whether the answer was delivered in memory, or is obsolete. */
    boolean answers(UUID callId) {
        return worker.receivers.get(callId).offer(answer(callId), List.of(), () -> answeredByTopic.add(callId));
    }

    /** Runs one round of the stream thread. */
    void drains() {
        driver.advanceWallClockTime(Duration.ofMillis(1));
    }

    void commits() {
        StreamThread.current().onCommitted();
    }

    void aborts() {
        StreamThread.current().onDiscarded();
    }

    double overflow() {
        var counter = meters.find("parley.dispatch.overflow").counter();
        return counter == null ? 0 : counter.count();
    }

    static Outcome outcome(String name) {
        return new Outcome.Refused(KEY, Ids.of(name), "no", "no");
    }

    static CallResult answer(UUID callId) {
        return new ToolAnswered(callId, 1, ToolStatus.COMPLETED, "done");
    }

    private static ToolRequest request(UUID callId) {
        Instant deadline = Instant.parse("2026-01-01T01:00:00Z");
        UUID id = Ids.of("any");
        return new ToolRequest(
                callId, id, id, id, null, 0, 0, 1, "default", "echo", "", "{}", null, deadline, deadline, List.of(),
                null);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            driver.close();
        }
        StreamThread.current().onDiscarded();
    }
}
