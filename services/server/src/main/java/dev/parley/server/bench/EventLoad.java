package dev.parley.server.bench;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Origin;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Partitioning;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes synthetic events of turns with one tool call each. */
final class EventLoad {
    private static final UUID HOST = Ids.of("host", "default");
    private static final String WORDS = "What somebody says, or a model answers, is about as long as this. ".repeat(4);
    private static final Usage USAGE = new Usage(900, 60, 0, 0, 0, 1_000L);

    private final KafkaClients clients;
    private long bytes;

    EventLoad(KafkaClients clients) {
        this.clients = clients;
    }

    /** Writes about {@code events} events. @return their size in bytes */
    long write(String project, int sessions, int events) {
        bytes = 0;
        write(project, sessions, 0, events, 0);
        return bytes;
    }

    /**
     * Writes about so many events, in rounds of a turn a session.
     *
     * @param from the number of the first round
     * @param rate how many in a second, or 0 for as many as there can be
     * @return the number of the next round; one that has not ended is not begun again
     */
    int write(String project, int sessions, int from, int events, int rate) {
        try (Producer<byte[], byte[]> producer = producer()) {
            long begun = System.nanoTime();
            int round = from;
            for (int written = 0; written < events; round++) {
                for (int i = 0; i < sessions && written < events; i++) {
                    written += turn(producer, project, i, round);
                    if (rate > 0) {
                        LockSupport.parkNanos(begun + written * 1_000_000_000L / rate - System.nanoTime());
                    }
                }
            }
            return round;
        }
    }

    /** Writes one turn of a session. @return the number of events */
    int turn(Producer<byte[], byte[]> producer, String project, int session, int round) {
        List<TurnEvent> turn = new Turn(BenchExport.session(project, session), round).events();
        turn.forEach(event -> bytes += send(producer, event));
        return turn.size();
    }

    private Producer<byte[], byte[]> producer() {
        return clients.producer(
                "bench", Map.of(ProducerConfig.LINGER_MS_CONFIG, 20, ProducerConfig.BATCH_SIZE_CONFIG, 1 << 20));
    }

    private static long send(Producer<byte[], byte[]> producer, TurnEvent event) {
        int partitions = producer.partitionsFor(Topics.TURN_EVENTS.name()).size();
        String key = event.meta().key() + "#" + event.meta().seq();
        var record = RecordCodec.record(Topics.TURN_EVENTS, key, event, Ids.of("event", key), null);
        int partition = Partitioning.byRecordKey(
                        record.topic(), key.getBytes(StandardCharsets.UTF_8), record.value(), partitions)
                .orElseThrow()
                .iterator()
                .next();
        var _ = producer.send(
                new ProducerRecord<>(record.topic(), partition, null, record.key(), record.value(), record.headers()));
        return record.value().length;
    }

    /** One turn of a session, from 0. */
    private record Turn(RecordKey key, int number) {
        private static final int EVENTS = 8;

        private EventMeta meta(int place, @Nullable UUID turn) {
            long seq = 1 + (long) number * EVENTS + place;
            return new EventMeta(HOST, key, key.sessionId(0), 0, seq, turn, Instant.now());
        }

        List<TurnEvent> events() {
            UUID turn = key.turnId(Origin.API.code(), "turn " + number);
            UUID model = Ids.of("model", turn, 0);
            UUID tool = Ids.of("tool", turn, 0);
            var call = new Block.ToolCall("c1", "echo", "{\"text\":\"hi\"}", null);
            Instant later = Instant.now().plusSeconds(60);
            // The first turn of a session opens it, and has no request: sequence numbers have no gaps.
            var all = new ArrayList<TurnEvent>(
                    number == 0
                            ? List.of(
                                    new SessionOpened(
                                            meta(0, null), "api", null, "default", null, null, 0, null, "somebody"),
                                    accepted(meta(1, turn)),
                                    new TurnStarted(meta(2, turn), "default", "1", later, null))
                            : List.of(
                                    accepted(meta(0, turn)),
                                    new TurnStarted(meta(1, turn), "default", "1", later, null),
                                    new ModelRequested(
                                            meta(2, turn), model, 0, 1, "scripted", "one", true, List.of(), later)));
            all.addAll(List.of(
                    called(meta(3, turn), model, 0, 1, List.of(call), FinishReason.TOOL_CALLS),
                    new ToolRequested(
                            meta(4, turn), tool, 0, 0, 1, 1, 1, "c1", "echo", call.arguments(), "", null, later, later),
                    new ToolCalled(
                            meta(5, turn),
                            tool,
                            0,
                            0,
                            1,
                            1,
                            1,
                            "c1",
                            "echo",
                            ToolStatus.COMPLETED,
                            WORDS,
                            List.of(),
                            List.of()),
                    called(
                            meta(6, turn),
                            Ids.of("model", turn, 1),
                            1,
                            2,
                            List.of(Block.text(WORDS)),
                            FinishReason.STOP),
                    new TurnCompleted(meta(7, turn), WORDS, FinishReason.STOP, USAGE, "scripted/one", null)));
            return all;
        }

        private TurnEvent accepted(EventMeta meta) {
            return new TurnAccepted(
                    meta,
                    number + 1L,
                    Origin.API,
                    "turn " + number,
                    MailboxMode.FOLLOWUP,
                    "default",
                    null,
                    List.of(Block.text(WORDS)),
                    "somebody",
                    null,
                    null,
                    null,
                    null,
                    null,
                    false,
                    null,
                    List.of());
        }

        private static TurnEvent called(
                EventMeta meta, UUID call, int step, int index, List<Block> blocks, FinishReason finish) {
            return new ModelCalled(
                    meta, call, step, 1, index, blocks, finish, false, USAGE, "scripted", "one", WORDS, null);
        }
    }
}
