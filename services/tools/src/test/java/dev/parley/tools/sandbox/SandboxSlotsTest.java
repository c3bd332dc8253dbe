package dev.parley.tools.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.clock.Deadline;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SandboxSlotsTest {
    private static final Duration A_MOMENT = Duration.ofMillis(1);
    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @Test
    void oneOwnerCannotTakeAllSlots() throws InterruptedException {
        // Given
        var places = new SandboxSlots(3);
        assertTrue(places.acquire(one, Deadline.in(A_MOMENT)));
        assertTrue(places.acquire(one, Deadline.in(A_MOMENT)));

        // When
        boolean third = places.acquire(one, Deadline.in(A_MOMENT));

        // Then
        assertFalse(third);
        assertTrue(places.acquire(other, Deadline.in(A_MOMENT)));
        assertFalse(places.acquire(other, Deadline.in(A_MOMENT)), "all are taken");

        // When
        places.release(one);

        // Then
        assertTrue(places.acquire(other, Deadline.in(A_MOMENT)));
        places.release(one);
        places.release(other);
        places.release(other);
        assertEquals(0, places.owners());
        assertTrue(places.acquire(one, Deadline.in(A_MOMENT)));
        assertTrue(places.acquire(one, Deadline.in(A_MOMENT)));
    }

    @Test
    void anyOwnerCanTakeASingleSlot() throws InterruptedException {
        var places = new SandboxSlots(1);
        assertTrue(places.acquire(one, Deadline.in(A_MOMENT)));
        assertFalse(places.acquire(other, Deadline.in(A_MOMENT)));
        places.release(one);
        assertTrue(places.acquire(other, Deadline.in(A_MOMENT)));
    }
}
