package dev.parley.platform.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutcomePartitionsTest {
    private final OutcomePartitions heard = new OutcomePartitions();

    private Set<Integer> at(Duration when, Integer own, Integer... awaited) {
        return heard.at(when.toNanos(), own, Set.of(awaited));
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
        Duration later = Duration.ofMinutes(5);
        at(later.minusSeconds(1), 0, 6);

        // Then
        assertEquals(Set.of(0, 6), at(later, 0));
        assertEquals(Set.of(0), at(later.plus(OutcomePartitions.LINGER), 0));
    }

    @Test
    void readsThePreviousPartitionWithoutAnAssignment() {
        // Given
        at(Duration.ZERO, 6);

        // When
        Duration without = Duration.ofSeconds(1);

        // Then
        assertEquals(Set.of(6), at(without, null));
    }
}
