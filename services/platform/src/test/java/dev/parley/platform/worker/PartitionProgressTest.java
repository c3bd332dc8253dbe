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
            progress.read(offset);
            progress.started(offset, LEASE);
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
        progress.finished(100);
        progress.finished(105);
        assertEquals(101, position(progress, NOW).offset());
    }

    @Test
    void nextOwnerSkipsFinishedRequests() {
        var progress = started(100, 110);
        LongStream.of(100, 105, 106, 109).forEach(progress::finished);

        var next = new PartitionProgress(position(progress, NOW));

        LongStream.of(101, 102, 103, 104, 107, 108).forEach(open -> assertFalse(next.finishedBefore(open), "" + open));
        LongStream.of(105, 106, 109).forEach(finished -> assertTrue(next.finishedBefore(finished), "" + finished));
        assertFalse(next.finishedBefore(110), "not read yet");
    }

    @Test
    void keepsFinishedRequestsOfThePreviousOwner() {
        // Given
        var progress = started(100, 110);
        LongStream.of(102, 109).forEach(progress::finished);
        var second = new PartitionProgress(position(progress, NOW));
        second.read(100);
        second.started(100, LEASE);
        second.finished(100);

        // When
        var third = new PartitionProgress(position(second, NOW));

        // Then
        assertEquals(101, position(second, NOW).offset());
        assertTrue(third.finishedBefore(102));
        assertTrue(third.finishedBefore(109));
        assertFalse(third.finishedBefore(108));
    }

    @Test
    void aLapsedLeaseDoesNotHoldThePosition() {
        var progress = started(100, 102);
        progress.finished(101);
        assertEquals(100, position(progress, NOW).offset());
        assertEquals(102, position(progress, LEASE.plusMillis(1)).offset());
    }

    @Test
    void handedOverPositionPassesRunningCalls() {
        var progress = started(100, 102);
        progress.read(102); // waiting, so it is left to the next owner
        assertEquals(102, position(progress, PartitionProgress.HANDED_OVER).offset());
    }

    @Test
    void metadataIsBoundedAndReportsNoOpenRequestAsFinished() {
        var progress = started(0, 20_000);
        IntStream.range(0, 20_000).filter(offset -> offset % 2 == 0).forEach(progress::finished);

        var position = position(progress, NOW);
        var next = new PartitionProgress(position);

        assertTrue(position.metadata().length() < 3_100, position.metadata().length() + " characters");
        assertTrue(next.finishedBefore(2));
        LongStream.range(1, 20_000)
                .filter(offset -> offset % 2 == 1)
                .forEach(open -> assertFalse(next.finishedBefore(open)));
    }

    @Test
    void foreignMetadataCountsAsNone() {
        assertFalse(new PartitionProgress(new OffsetAndMetadata(5, "1;zz;!!")).finishedBefore(6));
        assertFalse(new PartitionProgress(new OffsetAndMetadata(5, "something else")).finishedBefore(6));
    }
}
