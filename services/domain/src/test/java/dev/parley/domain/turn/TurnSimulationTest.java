package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Thousands of simulated lives of sessions, each of which keeps every one of the {@link Invariants}. A seed that fails
 * is printed; {@code mvn test -Dtest=TurnSimulationTest -Dseed=17} runs it alone, {@code -Druns=1000000} runs more.
 */
class TurnSimulationTest {
    private static final int RUNS = 10_000;

    @Test
    @Tag("P14")
    @Tag("I68")
    @Tag("I120")
    void everyInvariantHoldsInEveryRun() {
        // Given
        Long one = Long.getLong("seed");
        var seeds = one == null ? LongStream.range(0, Integer.getInteger("runs", RUNS)) : LongStream.of(one);

        // When
        var failures = seeds.parallel()
                .mapToObj(TurnSimulationTest::failure)
                .flatMap(Optional::stream)
                .limit(3)
                .toList();

        // Then
        assertEquals(List.of(), failures.stream().map(Failure::toString).toList(), "seeds that fail");
    }

    private record Failure(long seed, Throwable cause) {
        @Override
        public String toString() {
            var lines = new ArrayList<String>();
            lines.add("-Dseed=" + seed + ": " + cause);
            for (StackTraceElement frame : cause.getStackTrace()) {
                if (frame.getClassName().startsWith("dev.parley") && lines.size() < 10) {
                    lines.add("  at " + frame);
                }
            }
            return String.join("\n", lines) + "\n";
        }
    }

    private static Optional<Failure> failure(long seed) {
        try {
            new TurnSimulation(seed).run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(new Failure(seed, e));
        }
    }
}
