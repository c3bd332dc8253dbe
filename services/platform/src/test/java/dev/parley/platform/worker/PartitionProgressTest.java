package dev.parley.platform.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LEASE = NOW.plusSeconds(10);

    private static PartitionProgress started(long from, long to) {
        var progress = new PartitionProgress(new OffsetAndMetadata(from));
        LongStream.range(from, to).forEach(offset -> {
            progress.onRead(offset);
            progress.onStarted(offset, LEASE);
        });
        return progress;
    }

    private static OffsetAndMetadata position(PartitionProgress progress, Instant time) {
        return Objects.requireNonNull(progress.position(time));
    }

    @Test
    void hasNoPositionBeforeTheFirstRead() {
        assertNull(new PartitionProgress(null).position(NOW));
    }

    @Test
    void theLowestUnfinishedRequestIsThePosition() {
        var progress = started(100, 110);
        progress.onFinished(100);
        progress.onFinished(105);
        assertEquals(101, position(progress, NOW).offset());
    }

    @Test
    void nextOwnerSkipsFinishedRequests() {
        var progress = started(100, 110);
        LongStream.of(100, 105, 106, 109).forEach(progress::onFinished);

        var next = new PartitionProgress(position(progress, NOW));

        LongStream.of(101, 102, 103, 104, 107, 108)
                .forEach(open -> assertFalse(next.isFinishedBefore(open), "" + open));
        LongStream.of(105, 106, 109).forEach(finished -> assertTrue(next.isFinishedBefore(finished), "" + finished));
        assertFalse(next.isFinishedBefore(110), "not read yet");
    }

    @Test
    void keepsFinishedRequestsOfThePreviousOwner() {
        // Given
        var progress = started(100, 110);
        LongStream.of(102, 109).forEach(progress::onFinished);
        var second = new PartitionProgress(position(progress, NOW));
        second.onRead(100);
        second.onStarted(100, LEASE);
        second.onFinished(100);

        // When
        var third = new PartitionProgress(position(second, NOW));

        // Then
        assertEquals(101, position(second, NOW).offset());
        assertTrue(third.isFinishedBefore(102));
        assertTrue(third.isFinishedBefore(109));
        assertFalse(third.isFinishedBefore(108));
    }

    @Test
    void aLapsedLeaseDoesNotHoldThePosition() {
        var progress = started(100, 102);
        progress.onFinished(101);
        assertEquals(100, position(progress, NOW).offset());
        assertEquals(102, position(progress, LEASE.plusMillis(1)).offset());
    }

    @Test
    void handedOverPositionPassesRunningCalls() {
        var progress = started(100, 102);
        progress.onRead(102); // waiting, so it is left to the next owner
        assertEquals(102, position(progress, PartitionProgress.HANDED_OVER).offset());
    }

    @Test
    void metadataIsBoundedAndReportsNoOpenRequestAsFinished() {
        // Given
        var progress = started(0, 20_000);
        IntStream.range(0, 20_000).filter(offset -> offset % 2 == 0).forEach(progress::onFinished);

        // When
        var position = position(progress, NOW);
        var next = new PartitionProgress(position);

        // Then
        assertTrue(position.metadata().length() < 3_100, position.metadata().length() + " characters");
        assertTrue(next.isFinishedBefore(2));
        LongStream.range(1, 20_000)
                .filter(offset -> offset % 2 == 1)
                .forEach(open -> assertFalse(next.isFinishedBefore(open)));
    }

    @Test
    void foreignMetadataCountsAsNone() {
        assertFalse(new PartitionProgress(new OffsetAndMetadata(5, "1;zz;!!")).isFinishedBefore(6));
        assertFalse(new PartitionProgress(new OffsetAndMetadata(5, "something else")).isFinishedBefore(6));
    }
}
