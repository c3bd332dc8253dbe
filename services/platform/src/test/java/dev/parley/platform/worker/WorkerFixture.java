package dev.parley.platform.worker;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.SettleCall;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.platform.testkit.TopicTap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A request topic, by default of one partition, with a consumer group of its own, a producer of requests, and taps of
 * the results and dead letters.
 */
final class WorkerFixture implements AutoCloseable {
    static final String KEY = RecordKey.of("test:1").toString();
    static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /** The work of a test's handler. */
    interface Doing {
        String with(ToolRequest request, Cancellation cancellation) throws Exception;
    }

    final String group = "test-" + UUID.randomUUID();
    final KafkaClients clients = TestInfra.kafka().clients();
    final Topic<ToolWork> topic = topic(group);
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final TopicTap<CallResult> results;
    final TopicTap<byte[]> deadLetters;
    private final Producer<byte[], byte[]> producer;
    private final List<WorkerLoop<ToolWork>> workers = new ArrayList<>();

    WorkerFixture() throws Exception {
        this(1);
    }

    WorkerFixture(int partitions) throws Exception {
        try (Admin admin = clients.admin("test")) {
            new TopicAdmin(admin, 2, (short) 1).createMissing();
            admin.createTopics(List.of(new NewTopic(topic.name(), partitions, (short) 1)))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
        results = TopicTap.on(clients, Topics.RESULTS);
        deadLetters = TopicTap.on(clients, Topics.DEAD_LETTERS);
        producer = clients.producer("test");
    }

    static Topic<ToolWork> topic(String name) {
        return new Topic<>(name, ToolWork.class, "session", Topic.Cleanup.DELETE, Duration.ofDays(1), 8 << 20);
    }

    WorkerSettings settings() {
        return WorkerSettings.of(group).withGrace(Duration.ofSeconds(1));
    }

    WorkerLoop<ToolWork> worker(WorkerSettings settings, Doing doing) {
        return worker(settings, handler(doing));
    }

    WorkerLoop<ToolWork> worker(WorkerSettings settings, CallHandler<ToolWork> handler) {
        var worker = new WorkerLoop<>(clients, topic, handler, settings, meters, LocalDispatch.closed());
        workers.add(worker);
        worker.start();
        return worker;
    }

    static CallHandler<ToolWork> handler(Doing doing) {
        return new CallHandler<>() {
            @Override
            public WorkerRequest classify(ToolWork record) {
                return switch (record) {
                    case ToolRequest request ->
                        new WorkerRequest.Call(
                                request.callId(), request.attempt(), request.leaseUntil(), request.deadline());
                    case CancelCall cancel -> new WorkerRequest.Cancel(cancel.callId());
                    case SettleCall settle -> throw new IllegalArgumentException("not asked here: " + settle);
                };
            }

            @Override
            public Execution begin(ToolWork record, CallContext context) {
                var request = (ToolRequest) record;
                return new Execution() {
                    @Override
                    public CallResult run() throws Exception {
                        return answer(request, ToolStatus.COMPLETED, doing.with(request, context.cancellation()));
                    }

                    @Override
                    public CallResult failure(ErrorCategory category, String detail) {
                        return answer(request, ToolStatus.ERROR, category + ": " + detail);
                    }
                };
            }
        };
    }

    private static CallResult answer(ToolRequest request, ToolStatus status, String content) {
        return new CallResult.ToolAnswered(request.callId(), request.attempt(), status, content);
    }

    static ToolRequest call(String arguments) {
        return call(UUID.randomUUID(), 1, arguments, Duration.ofSeconds(60));
    }

    static ToolRequest call(UUID callId, int attempt, String arguments, Duration lease) {
        var now = Instant.now();
        return new ToolRequest(
                callId,
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID(),
                null,
                0,
                0,
                attempt,
                "default",
                "test",
                "",
                arguments,
                null,
                now.plus(lease),
                now.plusSeconds(120),
                List.of(),
                null);
    }

    UUID ask(ToolRequest request) throws Exception {
        return ask(KEY, request);
    }

    /** Sends a request of a session. */
    UUID ask(String key, ToolRequest request) throws Exception {
        send(RecordCodec.record(topic, key, request, UUID.randomUUID(), TRACE));
        return request.callId();
    }

    /** Sends a request to a partition. */
    UUID ask(int partition, ToolRequest request) throws Exception {
        var record = RecordCodec.record(topic, KEY, request, UUID.randomUUID(), TRACE);
        send(new ProducerRecord<>(record.topic(), partition, record.key(), record.value(), record.headers()));
        return request.callId();
    }

    void cancel(UUID callId) throws Exception {
        send(RecordCodec.record(topic, KEY, new CancelCall(callId), UUID.randomUUID(), null));
    }

    void send(ProducerRecord<byte[], byte[]> record) throws Exception {
        producer.send(record).get(60, TimeUnit.SECONDS);
    }

    /** The results of a call, without its progress records. */
    List<CallResult.ToolAnswered> answers(UUID callId) {
        return of(callId, CallResult.ToolAnswered.class);
    }

    <R extends CallResult> List<R> of(UUID callId, Class<R> type) {
        return results.heard().stream()
                .map(TopicTap.Heard::value)
                .filter(result -> result.callId().equals(callId))
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    Optional<OffsetAndMetadata> committed() throws Exception {
        try (Admin admin = clients.admin("test")) {
            return Optional.ofNullable(admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(60, TimeUnit.SECONDS)
                    .get(new TopicPartition(topic.name(), 0)));
        }
    }

    double count(String meter) {
        return meters.find(meter).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Override
    public void close() {
        workers.forEach(WorkerLoop::close);
        producer.close(Duration.ofSeconds(2));
        results.close();
        deadLetters.close();
    }
}
