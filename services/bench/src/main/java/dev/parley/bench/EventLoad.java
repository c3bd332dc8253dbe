package dev.parley.bench;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnEventSessionOpenedBuilder;
import dev.parley.domain.protocol.TurnEventTurnAcceptedBuilder;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
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

    /** Writes about {@code events} events; returns their size in bytes. */
    long write(String project, int sessions, int events) {
        bytes = 0;
        write(project, sessions, 0, events, 0);
        return bytes;
    }

    /**
     * Writes about {@code events} events, in rounds of one turn of each session.
     *
     * @param from the number of the first round
     * @param rate events per second, or 0 for no limit
     * @return the number of the next round; an incomplete round counts as complete
     */
    int write(String project, int sessions, int from, int events, int rate) {
        try (Producer<byte[], byte[]> producer = producer()) {
            long start = System.nanoTime();
            int round = from;
            for (int written = 0; written < events; round++) {
                for (int i = 0; i < sessions && written < events; i++) {
                    written += turn(producer, project, i, round);
                    if (rate > 0) {
                        LockSupport.parkNanos(start + written * 1_000_000_000L / rate - System.nanoTime());
                    }
                }
            }
            return round;
        }
    }

    /** Writes one turn of a session; returns the number of events. */
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

    /**
     * One turn of a session.
     *
     * @param number from 0
     */
    private record Turn(RecordKey key, int number, UUID id, Instant deadline) {
        private static final int EVENTS = 8;

        Turn(RecordKey key, int number) {
            this(
                    key,
                    number,
                    key.turnId(Origin.API.code(), "turn " + number),
                    Instant.now().plusSeconds(60));
        }

        private EventMeta meta(int index, @Nullable UUID turn) {
            long seq = 1 + (long) number * EVENTS + index;
            return new EventMeta(HOST, key, key.sessionId(0), 0, seq, turn, Instant.now());
        }

        private EventMeta meta(int index) {
            return meta(index, id);
        }

        List<TurnEvent> events() {
            var events = new ArrayList<>(number == 0 ? firstTurn() : nextTurn());
            events.addAll(toolCall());
            events.addAll(reply());
            return events;
        }

        /** The first turn opens its session, and has no model request: sequence numbers have no gaps. */
        private List<TurnEvent> firstTurn() {
            return List.of(sessionOpened(), turnAccepted(1), turnStarted(2));
        }

        private TurnEvent sessionOpened() {
            return TurnEventSessionOpenedBuilder.builder()
                    .meta(meta(0, null))
                    .channel("api")
                    .agent("default")
                    .user("somebody")
                    .owner(Actor.person("somebody"))
                    .build();
        }

        private List<TurnEvent> nextTurn() {
            return List.of(
                    turnAccepted(0),
                    turnStarted(1),
                    new ModelRequested(
                            meta(2), Ids.of("model", id, 0), 0, 1, "scripted", "one", true, List.of(), deadline));
        }

        private List<TurnEvent> toolCall() {
            UUID call = Ids.of("tool", id, 0);
            String arguments = "{\"text\":\"hi\"}";
            return List.of(
                    modelCalled(3, 0, 1, new Block.ToolCall("c1", "echo", arguments, null), FinishReason.TOOL_CALLS),
                    new ToolRequested(
                            meta(4), call, 0, 0, 1, 1, 1, "c1", "echo", arguments, "", null, deadline, deadline),
                    new ToolCalled(
                            meta(5),
                            call,
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
                            List.of()));
        }

        private List<TurnEvent> reply() {
            return List.of(
                    modelCalled(6, 1, 2, Block.text(WORDS), FinishReason.STOP),
                    new TurnCompleted(meta(7), WORDS, FinishReason.STOP, USAGE, "scripted/one", null));
        }

        private TurnEvent turnAccepted(int index) {
            return TurnEventTurnAcceptedBuilder.builder()
                    .meta(meta(index))
                    .turnSeq(number + 1L)
                    .origin(Origin.API)
                    .originRef("turn " + number)
                    .mode(MailboxMode.FOLLOWUP)
                    .agent("default")
                    .content(List.of(Block.text(WORDS)))
                    .user("somebody")
                    .tools(List.of())
                    .build();
        }

        private TurnEvent turnStarted(int index) {
            return new TurnStarted(meta(index), "default", "1", deadline, null);
        }

        private TurnEvent modelCalled(int index, int step, int entry, Block block, FinishReason finish) {
            return new ModelCalled(
                    meta(index),
                    Ids.of("model", id, step),
                    step,
                    1,
                    entry,
                    List.of(block),
                    finish,
                    false,
                    USAGE,
                    "scripted",
                    "one",
                    WORDS,
                    null);
        }
    }
}
