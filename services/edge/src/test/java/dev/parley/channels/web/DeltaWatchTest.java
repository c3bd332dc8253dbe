package dev.parley.channels.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class DeltaWatchTest {
    private static final RecordKey KEY = RecordKey.of("a:b");
    private static final UUID TURN = new UUID(0, 1);
    private static final Duration AT_ONCE = Duration.ZERO;

    private final DeltaLog log = new DeltaLog(100, 1 << 20);
    private final List<Long> caughtUp = new ArrayList<>();

    private DeltaWatch watch() {
        return new DeltaWatch(
                KEY,
                0,
                log,
                from -> {
                    caughtUp.add(from);
                    throw new DeltaWatch.EndedException();
                },
                closed -> {});
    }

    private void append(long from, long to) {
        for (long offset = from; offset < to; offset++) {
            append(KEY, offset);
        }
    }

    private void append(RecordKey key, long offset) {
        var record = RecordCodec.record(
                Topics.TURN_DELTAS,
                key.toString(),
                TurnDelta.of(TURN, TurnDelta.Kind.TOKEN, 0, 1, "" + offset),
                TURN,
                null);
        log.append(new ConsumerRecord<>(
                "turn-deltas",
                0,
                offset,
                0,
                TimestampType.CREATE_TIME,
                record.key().length,
                record.value().length,
                record.key(),
                record.value(),
                record.headers(),
                java.util.Optional.empty()));
    }

    private static List<Long> read(DeltaWatch watch) throws InterruptedException {
        var read = new ArrayList<Long>();
        for (var next = watch.next(AT_ONCE); next.isPresent(); next = watch.next(AT_ONCE)) {
            read.add(next.get().position().offset());
        }
        return read;
    }

    private static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void deliversOnlyNewDeltasOfTheWatchedSession() throws Exception {
        append(100, 103);
        DeltaWatch closed;
        try (var watch = watch()) {
            watch.attachAtEnd();
            append(RecordKey.of("other"), 103);
            append(104, 106);
            assertEquals(range(104, 106), read(watch));
            closed = watch;
        }
        append(106, 107);
        assertThrows(DeltaWatch.EndedException.class, () -> closed.next(AT_ONCE));
    }

    @Test
    void readsBufferedDeltasFromTheLog() throws Exception {
        append(100, 110);
        try (var watch = watch()) {
            watch.attachAt(104);
            append(110, 112);
            assertEquals(range(104, 112), read(watch));
        }
    }

    @Test
    void readsOlderDeltasFromTheTopic() {
        try (var watch = watch()) {
            assertThrows(DeltaWatch.EndedException.class, () -> watch.attachAt(99));
            assertThrows(DeltaWatch.EndedException.class, () -> watch.attachAt(101), "not here yet");
            assertEquals(List.of(99L, 101L), caughtUp);
        }
    }

    @Test
    void limitsTheLog() throws Exception {
        append(100, 100 + DeltaLog.MAX_RECORDS + 5);
        assertEquals(105, log.firstCoveredOffset());
        try (var watch = watch()) {
            watch.attachAtOldest();
            assertEquals(DeltaLog.MAX_RECORDS, read(watch).size());
        }
    }

    @Test
    void deliversALargeBurstCompletely() throws Exception {
        try (var watch = watch()) {
            watch.attachAtEnd();
            append(100, 1_900);
            assertEquals(range(100, 1_900), read(watch));
            append(1_900, 1_910);
            assertEquals(range(1_900, 1_910), read(watch));
        }
    }

    @Test
    void slowReaderContinuesFromTheTopic() throws Exception {
        // Given
        try (var watch = watch()) {
            watch.attachAtEnd();
            append(100, 5_000);

            // When
            var read = new ArrayList<Long>();
            assertThrows(DeltaWatch.EndedException.class, () -> {
                while (true) {
                    watch.next(AT_ONCE)
                            .ifPresent(delta -> read.add(delta.position().offset()));
                }
            });

            // Then
            assertEquals(range(100, caughtUp.getFirst()), read);
            assertTrue(caughtUp.getFirst() < log.firstCoveredOffset());
        }
    }

    @Test
    void endedWatchDeliversItsBufferedDeltas() throws Exception {
        var watch = watch();
        watch.attachAtEnd();
        append(100, 101);
        watch.end();
        append(101, 102);
        assertEquals(100, watch.next(AT_ONCE).orElseThrow().position().offset());
        assertThrows(DeltaWatch.EndedException.class, () -> watch.next(AT_ONCE));
        watch.close();
        watch.close();
    }
}
