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
        var made = RecordCodec.record(
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
                made.key().length,
                made.value().length,
                made.key(),
                made.value(),
                made.headers(),
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
    void only_the_session_that_is_watched_is_seen_and_only_from_now_on() throws Exception {
        append(100, 103);
        var watch = watch();
        watch.attachAtEnd();
        append(RecordKey.of("other"), 103);
        append(104, 106);
        assertEquals(range(104, 106), read(watch));

        watch.close();
        append(106, 107);
        assertThrows(DeltaWatch.EndedException.class, () -> watch.next(AT_ONCE));
    }

    @Test
    void what_the_hub_has_is_not_read_again() throws Exception {
        append(100, 110);
        try (var watch = watch()) {
            watch.attachAt(104);
            append(110, 112);
            assertEquals(range(104, 112), read(watch));
        }
    }

    @Test
    void what_the_hub_has_not_is_read_from_the_topic() {
        try (var watch = watch()) {
            assertThrows(DeltaWatch.EndedException.class, () -> watch.attachAt(99));
            assertThrows(DeltaWatch.EndedException.class, () -> watch.attachAt(101), "not here yet");
            assertEquals(List.of(99L, 101L), caughtUp);
        }
    }

    @Test
    void the_log_is_bounded() throws Exception {
        append(100, 100 + DeltaLog.MAX_RECORDS + 5);
        assertEquals(105, log.covered());
        try (var watch = watch()) {
            watch.attachAtOldest();
            assertEquals(DeltaLog.MAX_RECORDS, read(watch).size());
        }
    }

    @Test
    void a_burst_that_is_too_much_at_once_is_seen_all_the_same() throws Exception {
        try (var watch = watch()) {
            watch.attachAtEnd();
            append(100, 1_900);
            assertEquals(range(100, 1_900), read(watch));
            append(1_900, 1_910);
            assertEquals(range(1_900, 1_910), read(watch));
        }
    }

    @Test
    void a_reader_that_falls_behind_the_log_goes_to_the_topic() throws Exception {
        try (var watch = watch()) {
            watch.attachAtEnd();
            append(100, 5_000);
            var read = new ArrayList<Long>();
            assertThrows(DeltaWatch.EndedException.class, () -> {
                while (true) {
                    watch.next(AT_ONCE)
                            .ifPresent(delta -> read.add(delta.position().offset()));
                }
            });
            assertEquals(range(100, caughtUp.getFirst()), read);
            assertTrue(caughtUp.getFirst() < log.covered());
        }
    }

    @Test
    void a_watch_that_ended_gives_what_it_has_and_then_no_more() throws Exception {
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
