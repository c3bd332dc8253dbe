package dev.parley.platform.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutcomePartitionsTest {
    private final OutcomePartitions partitions = new OutcomePartitions();

    private Set<Integer> at(Duration time, Integer ownPartition, Integer... awaited) {
        return partitions.at(time.toNanos(), ownPartition, Set.of(awaited));
    }

    @Test
    @Tag("O12")
    void keepsReadingAPartitionForAWhileAfterReassignment() {
        // Given
        assertEquals(Set.of(6), at(Duration.ZERO, 6));

        // When
        Duration moved = Duration.ofMillis(200);

        // Then
        assertEquals(Set.of(0, 6), at(moved, 0));
        assertEquals(Set.of(0, 6), at(OutcomePartitions.LINGER.minusMillis(1), 0));
        assertEquals(Set.of(0), at(OutcomePartitions.LINGER, 0));
    }

    @Test
    void readsAPartitionWhileOutcomesAreAwaitedThere() {
        // Given
        at(Duration.ZERO, 6);

        // When
        Duration time = Duration.ofMinutes(5);
        at(time.minusSeconds(1), 0, 6);

        // Then
        assertEquals(Set.of(0, 6), at(time, 0));
        assertEquals(Set.of(0), at(time.plus(OutcomePartitions.LINGER), 0));
    }

    @Test
    void readsThePreviousPartitionWithoutAnAssignment() {
        // Given
        at(Duration.ZERO, 6);

        // When
        Duration time = Duration.ofSeconds(1);

        // Then
        assertEquals(Set.of(6), at(time, null));
    }
}
