package dev.parley.tools.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class SandboxSlotsTest {
    private static final long A_MOMENT = 1_000_000;
    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @Test
    void oneOwnerCannotTakeAllSlots() throws InterruptedException {
        // Given
        var places = new SandboxSlots(3);
        assertTrue(places.acquire(one, A_MOMENT));
        assertTrue(places.acquire(one, A_MOMENT));

        // When
        boolean third = places.acquire(one, A_MOMENT);

        // Then
        assertFalse(third);
        assertTrue(places.acquire(other, A_MOMENT));
        assertFalse(places.acquire(other, A_MOMENT), "all are taken");

        // When
        places.release(one);

        // Then
        assertTrue(places.acquire(other, A_MOMENT));
        places.release(one);
        places.release(other);
        places.release(other);
        assertEquals(0, places.owners());
        assertTrue(places.acquire(one, A_MOMENT));
        assertTrue(places.acquire(one, A_MOMENT));
    }

    @Test
    void anyOwnerCanTakeASingleSlot() throws InterruptedException {
        var places = new SandboxSlots(1);
        assertTrue(places.acquire(one, A_MOMENT));
        assertFalse(places.acquire(other, A_MOMENT));
        places.release(one);
        assertTrue(places.acquire(other, A_MOMENT));
    }
}
