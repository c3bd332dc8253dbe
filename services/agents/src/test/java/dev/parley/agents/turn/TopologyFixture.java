package dev.parley.agents.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.Permissions;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ModelWork;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.StreamThread;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.DecisionShell;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** The turn topology with somebody at each of its ends: a conversation a test. */
final class TopologyFixture implements AutoCloseable {
    static final UUID HOST = Ids.of("host", "default");
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final MeterRegistry meters = new SimpleMeterRegistry();
    final LocalCalls<ModelWork> models = new LocalCalls<>();
    final LocalCalls<ToolWork> tools = new LocalCalls<>();
    private final TopologyTestDriver driver;
    private int references;

    TopologyFixture(Path state, Agent... agents) {
        this(state, false, agents);
    }

    /** @param local whether models and tools are in the process of the topology, and are asked in memory */
    TopologyFixture(Path state, boolean local, Agent... agents) {
        this(state, local, UnaryOperator.identity(), agents);
    }

    /** @param wrapper wraps the machine */
    TopologyFixture(
            Path state, boolean local, UnaryOperator<DecisionShell.Machine<TurnInput>> wrapper, Agent... agents) {
        LocalDispatch localDispatch = local ? LocalDispatch.open(meters) : LocalDispatch.closed();
        localDispatch.serve(Topics.MODEL_REQUESTS, models);
        localDispatch.serve(Topics.TOOL_REQUESTS, tools);
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        driver = new TopologyTestDriver(
                new TurnTopology(
                                catalogue(List.of(agents)),
                                localDispatch,
                                new TopologyMembers("test"),
                                Tracing.none(),
                                meters)
                        .build(wrapper),
                settings,
                START);
    }

    static DefinitionCatalogue catalogue(List<Agent> agents) {
        var echo = new ToolSpec(
                "echo", "says it again", "{\"type\":\"object\"}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(1));
        var definitions = new Definitions() {
            @Override
            public List<Agent> agents() {
                return agents;
            }

            @Override
            public List<ToolSpec> tools() {
                return List.of(echo);
            }

            @Override
            public List<PermissionRule> permissions() {
                return Permissions.BUILTIN;
            }
        };
        return (host, project) -> definitions;
    }

    /** Somebody says something; the turn's id is answered. */
    UUID says(String session, String text) {
        return says(session, text, MailboxMode.FOLLOWUP, "ref-" + ++references);
    }

    /** Somebody says something and brings tools. */
    UUID says(String session, String text, ToolSpec... tools) {
        return says(session, text, MailboxMode.FOLLOWUP, "ref-" + ++references, tools);
    }

    UUID says(String session, String text, MailboxMode mode, String ref, ToolSpec... tools) {
        var key = RecordKey.of(session);
        UUID turnId = key.turnId(Origin.API.code(), ref);
        var meta = new CommandMeta(turnId, HOST, START, "ann", 3, null);
        command(
                session,
                new SubmitTurn(
                        meta,
                        Origin.API,
                        ref,
                        mode,
                        null,
                        null,
                        List.of(Block.text(text)),
                        "api",
                        null,
                        null,
                        null,
                        false,
                        null,
                        List.of(tools)));
        return turnId;
    }

    void command(String session, TurnCommand command) {
        pipe(Topics.TURN_COMMANDS, RecordKey.of(session).toString(), command);
    }

    void modelSays(String session, ModelRequest request, Block... blocks) {
        boolean calls = List.of(blocks).stream().anyMatch(Block.ToolCall.class::isInstance);
        result(
                session,
                new CallResult.ModelAnswered(
                        request.callId(),
                        request.attempt(),
                        List.of(blocks),
                        calls ? FinishReason.TOOL_CALLS : FinishReason.STOP,
                        new Usage(10, 5, 0, 0, 0, 7L),
                        "scripted",
                        "m",
                        "{\"raw\":1}"));
    }

    void toolSays(String session, ToolRequest request, String content) {
        result(
                session,
                new CallResult.ToolAnswered(request.callId(), request.attempt(), ToolStatus.COMPLETED, content));
    }

    /** A worker answers: in memory where it was asked in memory, else by its topic. */
    void result(String session, CallResult result) {
        if (models.answer(result) || tools.answer(result)) {
            passes(Duration.ofMillis(1));
        } else {
            pipe(Topics.RESULTS, RecordKey.of(session).toString(), result);
        }
    }

    private <V> void pipe(Topic<V> topic, String key, V value) {
        var headers = new RecordHeaders();
        byte[] body = RecordCodec.write(topic, headers, value);
        bytes(topic, key, body, headers);
    }

    void bytes(Topic<?> topic, String key, byte[] body, RecordHeaders headers) {
        driver.createInputTopic(topic.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(key.getBytes(StandardCharsets.UTF_8), body, headers));
    }

    /** All values that a topic got since they were last asked for. */
    <V> List<V> read(Topic<V> topic) {
        return records(topic).stream()
                .map(record -> RecordCodec.read(topic, record.headers(), record.value()))
                .toList();
    }

    List<TestRecord<byte[], byte[]>> records(Topic<?> topic) {
        return driver.createOutputTopic(topic.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    /** The one model call that was asked for since the last time. */
    ModelRequest modelRequest() {
        var requests = modelRequests();
        if (requests.size() != 1) {
            throw new AssertionError("expected one model request, got " + requests);
        }
        return requests.getFirst();
    }

    /** The model calls that were asked for since the last time, in memory or by their topic. */
    List<ModelRequest> modelRequests() {
        return Stream.concat(models.taken(), read(Topics.MODEL_REQUESTS).stream())
                .filter(ModelRequest.class::isInstance)
                .map(ModelRequest.class::cast)
                .toList();
    }

    List<ToolRequest> toolRequests() {
        return Stream.concat(tools.taken(), read(Topics.TOOL_REQUESTS).stream())
                .filter(ToolRequest.class::isInstance)
                .map(ToolRequest.class::cast)
                .toList();
    }

    /** The simple names of the events since the last time. */
    List<String> events() {
        return read(Topics.TURN_EVENTS).stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }

    <E extends TurnEvent> List<E> events(Class<E> type) {
        return read(Topics.TURN_EVENTS).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    void passes(Duration time) {
        driver.advanceWallClockTime(time);
    }

    /** All rows of the store. */
    Map<Bytes, String> rows() {
        var rows = new TreeMap<Bytes, String>();
        try (var all = driver.<Bytes, byte[]>getKeyValueStore(TurnStore.NAME).all()) {
            all.forEachRemaining(row -> rows.put(row.key, Arrays.toString(row.value)));
        }
        return rows;
    }

    /** How many outcomes are remembered. */
    long outcomes() {
        long count = 0;
        try (var rows = driver.<Bytes, byte[]>getKeyValueStore(TurnStore.NAME).all()) {
            while (rows.hasNext()) {
                count += rows.next().key.get()[0] == 'o' ? 1 : 0;
            }
        }
        return count;
    }

    String describe() {
        return new TurnTopology(
                        catalogue(List.of()), LocalDispatch.closed(), new TopologyMembers("test"), Tracing.none(), null)
                .build()
                .describe()
                .toString();
    }

    @Override
    public void close() {
        driver.close();
        StreamThread.current().onDiscarded();
    }
}
