package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Seeds;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Thousands of simulated sessions, each of which keeps every one of the {@link Invariants}. A seed that fails is
 * printed; {@code mvn test -Dtest=TurnSimulationTest -Dseed=17} runs it alone, {@code -Druns=1000000} runs more.
 */
class TurnSimulationTest {
    private static final int RUNS = 10_000;

    @Test
    @Tag("P14")
    @Tag("I68")
    @Tag("I120")
    void everyInvariantHoldsInEveryRun() {
        assertEquals(List.of(), Seeds.failures(RUNS, seed -> new TurnSimulation(seed).run()), "seeds that fail");
    }
}
