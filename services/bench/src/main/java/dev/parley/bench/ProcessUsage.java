package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process and those that it has started use, according to Linux.
 *
 * @param nanoTime when this was read, by {@link System#nanoTime}
 * @param cpuSeconds processor time, also of children that have ended
 * @param residentBytes memory that each process has mapped; what several share counts for each of them
 * @param proportionalBytes the same, with an equal part of what several processes share
 */
record ProcessUsage(long nanoTime, double cpuSeconds, long residentBytes, long proportionalBytes) {
    /** Of user, system, and ended children both; counted from the field after the name of the program. */
    private static final List<Integer> TIMES = List.of(11, 12, 13, 14);

    private static final double TICKS_PER_SECOND = 100;

    /** @throws IllegalStateException on other systems */
    static ProcessUsage of(long pid) throws IOException {
        if (!Files.exists(Path.of("/proc/self/smaps_rollup"))) {
            throw new IllegalStateException("/proc of Linux is required");
        }
        ProcessHandle first = ProcessHandle.of(pid).orElseThrow(() -> new IOException("no process " + pid));
        return Stream.concat(Stream.of(first), first.descendants())
                .map(process -> alone(process.pid()))
                .reduce(new ProcessUsage(System.nanoTime(), 0, 0, 0), ProcessUsage::plus);
    }

    private static ProcessUsage alone(long pid) {
        Path folder = Path.of("/proc", Long.toString(pid));
        try {
            String stat = Files.readString(folder.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = TIMES.stream()
                    .mapToLong(field -> Long.parseLong(fields[field]))
                    .sum();
            List<String> memory = Files.readAllLines(folder.resolve("smaps_rollup"));
            return new ProcessUsage(0, ticks / TICKS_PER_SECOND, bytes(memory, "Rss:"), bytes(memory, "Pss:"));
        } catch (IOException e) {
            if (ProcessHandle.of(pid).isEmpty()) {
                return new ProcessUsage(0, 0, 0, 0); // it has just ended
            }
            throw new UncheckedIOException(e);
        }
    }

    private static long bytes(List<String> memory, String name) {
        return memory.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .sum();
    }

    private ProcessUsage plus(ProcessUsage other) {
        return new ProcessUsage(
                nanoTime,
                cpuSeconds + other.cpuSeconds,
                residentBytes + other.residentBytes,
                proportionalBytes + other.proportionalBytes);
    }

    /** The average number of busy cores. */
    double coresSince(ProcessUsage before) {
        return (cpuSeconds - before.cpuSeconds) / ((nanoTime - before.nanoTime) / 1e9);
    }
}
