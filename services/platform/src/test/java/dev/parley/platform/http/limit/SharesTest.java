package dev.parley.platform.http.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.platform.http.limit.Shares.Outcome;
import org.junit.jupiter.api.Test;

class SharesTest {
    private final Shares shares = new Shares(10);

    @Test
    void refusesAHolderBeyondItsLimitAndAllBeyondTheirs() {
        assertEquals(Outcome.TAKEN, shares.take("ada", 6, 6));
        assertEquals(Outcome.HOLDER_FULL, shares.take("ada", 1, 6));
        assertEquals(Outcome.TAKEN, shares.take("bea", 4, 6));
        assertEquals(Outcome.ALL_FULL, shares.take("cleo", 1, 6));
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        // Given
        shares.take("ada", 6, 6);
        shares.take("bea", 4, 6);

        // When
        shares.give("ada", 6);
        shares.give("bea", 4);

        // Then
        assertEquals(0, shares.total());
        assertEquals(0, shares.holders());
        assertEquals(Outcome.TAKEN, shares.take("cleo", 6, 6));
    }
}
