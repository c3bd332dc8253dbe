package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random runs of banks. A failing seed is printed; {@code mvn test -Dtest=BankSimulationTest -Dseed=17} runs it alone,
 * {@code -Druns=100000} runs more.
 */
class BankSimulationTest {
    private static final int RUNS = 60;

    @Test
    @Tag("M16")
    @Tag("M34")
    @Tag("M37")
    void bankInvariantsHoldInRandomRuns() {
        // Given
        Long singleSeed = Long.getLong("seed");
        var seeds =
                singleSeed == null ? LongStream.range(0, Integer.getInteger("runs", RUNS)) : LongStream.of(singleSeed);

        // When
        var failures = seeds.parallel()
                .mapToObj(BankSimulationTest::failure)
                .flatMap(Optional::stream)
                .limit(3)
                .toList();

        // Then
        assertEquals(List.of(), failures, "seeds that fail");
    }

    private static Optional<String> failure(long seed) {
        try {
            new BankSimulation(seed).run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(Arrays.stream(e.getStackTrace())
                    .filter(frame -> frame.getClassName().startsWith("dev.parley"))
                    .limit(10)
                    .map(frame -> "  at " + frame)
                    .collect(Collectors.joining("\n", "-Dseed=" + seed + ": " + e + "\n", "\n")));
        }
    }
}
