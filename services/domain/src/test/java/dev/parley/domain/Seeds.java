package dev.parley.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** Runs a simulation with many seeds in parallel; {@code -Dseed=17} runs one, {@code -Druns=10000} that many. */
public final class Seeds {
    private static final int MAX_FRAMES = 9;

    private Seeds() {}

    /** At most three failures, each with its seed and the first frames of its stack trace. */
    public static List<String> failures(int runs, LongConsumer simulation) {
        Long singleSeed = Long.getLong("seed");
        var seeds =
                singleSeed == null ? LongStream.range(0, Integer.getInteger("runs", runs)) : LongStream.of(singleSeed);
        return seeds.parallel()
                .mapToObj(seed -> failure(seed, simulation))
                .flatMap(Optional::stream)
                .limit(3)
                .toList();
    }

    private static Optional<String> failure(long seed, LongConsumer simulation) {
        try {
            simulation.accept(seed);
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            var lines = new ArrayList<String>();
            lines.add("-Dseed=" + seed + ": " + e);
            List.of(e.getStackTrace()).stream()
                    .filter(frame -> frame.getClassName().startsWith("dev.parley"))
                    .limit(MAX_FRAMES)
                    .forEach(frame -> lines.add("  at " + frame));
            return Optional.of(String.join("\n", lines) + "\n");
        }
    }
}
