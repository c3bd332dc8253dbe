package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Seeds;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Simulated sessions whose calls run before their steps are committed, in processes that crash, lose their partitions
 * and have commits refused. A seed that fails is printed; {@code mvn test -Dtest=DispatchSimulationTest -Dseed=17} runs
 * it alone, {@code -Druns=10000} runs more.
 */
class DispatchSimulationTest {
    private static final int RUNS = 300;

    @Test
    @Tag("P14")
    @Tag("I68")
    void uncommittedStepsLeaveNoTrace() {
        assertEquals(List.of(), Seeds.failures(RUNS, seed -> new DispatchSimulation(seed).run()), "seeds that fail");
    }
}
