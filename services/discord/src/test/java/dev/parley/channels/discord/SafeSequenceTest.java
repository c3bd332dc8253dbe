package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SafeSequenceTest {
    private final SafeSequence sequence = new SafeSequence();

    @Test
    void safeSequenceAdvancesOverCompletedEventsOnly() {
        assertEquals(OptionalLong.empty(), sequence.safe());
        Runnable first = sequence.begin(1);
        Runnable second = sequence.begin(2);
        assertEquals(OptionalLong.of(0), sequence.safe());

        second.run();
        assertEquals(OptionalLong.of(0), sequence.safe());
        first.run();

        assertEquals(OptionalLong.of(2), sequence.safe());
    }

    @Test
    void restartIgnoresEventsOfTheEarlierSession() {
        Runnable old = sequence.begin(3);
        sequence.restart();
        sequence.begin(3);

        old.run();

        assertEquals(OptionalLong.of(2), sequence.safe());
    }

    @Test
    void forgottenEventsAreProcessedAgain() {
        sequence.begin(1).run();
        Runnable two = sequence.begin(2);
        sequence.begin(3).run();

        sequence.forget();
        two.run();

        assertEquals(OptionalLong.of(1), sequence.safe());
        assertEquals(0, sequence.waiting());
        sequence.begin(2).run();
        assertEquals(OptionalLong.of(2), sequence.safe());
    }
}
