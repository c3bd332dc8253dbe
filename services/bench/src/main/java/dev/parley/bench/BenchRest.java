package dev.parley.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench rest}: what a process costs to which nobody talks. */
@Command(
        name = "rest",
        mixinStandardHelpOptions = true,
        description = "Starts './parley dev' as a process of its own and leaves it alone: processor time and memory of"
                + " Parley and of its Postgres in each minute, the seconds of the start, and the warnings of its log."
                + " Linux only.")
final class BenchRest implements Callable<Integer> {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    @Option(
            names = "--minutes",
            defaultValue = "6",
            paramLabel = "N",
            description = "minutes after the start; the last one is the figure (${DEFAULT-VALUE})")
    private int minutes;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.create()) {
            Bench.printMachine();
            Path log = folder.path().resolve("parley.log");
            Process parley = start(folder.path(), log);
            try {
                measure(parley, folder.path().resolve("data"), log);
            } finally {
                stop(parley);
            }
        }
        return 0;
    }

    /** The command of a user, with the options of this JVM. */
    private static Process start(Path folder, Path log) throws IOException {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.parley.server.Parley", "dev"));
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(Bench.environment(folder, ""));
        return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    private static void stop(Process parley) throws InterruptedException {
        parley.destroy();
        if (!parley.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            parley.destroyForcibly().waitFor();
        }
    }

    private void measure(Process parley, Path data, Path log) throws IOException, InterruptedException {
        awaitReady(parley, data, log);
        long postgres = postmaster(data);
        System.out.printf(
                "%-8s %16s %12s %16s %12s%n", "minute", "Parley, cores", "MB resident", "Postgres, cores", "MB");
        for (int minute = 1; minute <= minutes; minute++) {
            var before = ProcessUsage.of(parley.pid());
            var postgresBefore = ProcessUsage.of(postgres);
            Thread.sleep(Duration.ofMinutes(1));
            var after = ProcessUsage.of(parley.pid());
            var postgresAfter = ProcessUsage.of(postgres);
            System.out.printf(
                    "%-8d %16.3f %12.0f %16.3f %12.0f%n",
                    minute,
                    after.coresSince(before),
                    after.residentBytes() / 1e6,
                    postgresAfter.coresSince(postgresBefore),
                    postgresAfter.proportionalBytes() / 1e6);
        }
        printWarnings(log);
    }

    private static void awaitReady(Process parley, Path data, Path log) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Path ready = data.resolve("runtime.json");
        while (!Files.exists(ready)) {
            if (!parley.isAlive() || System.nanoTime() - start > START_TIMEOUT.toNanos()) {
                throw new IllegalStateException("Parley did not start:\n" + Files.readString(log));
            }
            Thread.sleep(10);
        }
        System.out.printf("ready after %.1f s%n", (System.nanoTime() - start) / 1e9);
    }

    private static long postmaster(Path data) throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postgres/postmaster.pid")).getFirst());
    }

    private static void printWarnings(Path log) throws IOException {
        List<String> warnings = Files.readAllLines(log).stream()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .toList();
        System.out.printf("%d warnings and errors in the log%n", warnings.size());
        warnings.forEach(System.out::println);
    }
}
