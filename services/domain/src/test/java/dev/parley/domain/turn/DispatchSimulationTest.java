package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Simulated lives of sessions whose calls are made before their steps are committed, by processes that crash, lose their partitions
 * and have commits refused. A seed that fails is printed; {@code mvn test -Dtest=DispatchSimulationTest -Dseed=17} runs it alone,
 * {@code -Druns=10000} runs more.
 */
class DispatchSimulationTest {
    private static final int RUNS = 300;

    @Test
    @Tag("P14")
    @Tag("I68")
    void whatWasNotCommittedHasNeverBeen() {
        // Given
        Long one = Long.getLong("seed");
        var seeds = one == null ? LongStream.range(0, Integer.getInteger("runs", RUNS)) : LongStream.of(one);

        // When
        var failures = seeds.parallel()
                .mapToObj(DispatchSimulationTest::failure)
                .flatMap(Optional::stream)
                .limit(3)
                .toList();

        // Then
        assertEquals(List.of(), failures, "seeds that fail");
    }

    private static Optional<String> failure(long seed) {
        try {
            new DispatchSimulation(seed).run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            var lines = new ArrayList<String>();
            lines.add("-Dseed=" + seed + ": " + e);
            for (StackTraceElement frame : e.getStackTrace()) {
                if (frame.getClassName().startsWith("dev.parley") && lines.size() < 10) {
                    lines.add("  at " + frame);
                }
            }
            return Optional.of(String.join("\n", lines) + "\n");
        }
    }
}
