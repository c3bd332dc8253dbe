package dev.parley.bench;

import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.database.Database;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.server.Instance;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley bench isolation}: impact of a busy project on another one, and cost of idle projects. */
@Command(
        name = "isolation",
        mixinStandardHelpOptions = true,
        description =
                "How long the turns of a project take alone, and while another project takes load; what many projects"
                        + " at rest cost, and what the first turn of one of them takes. The model takes no time. Broker, database"
                        + " and Parley share this machine.")
final class BenchIsolation implements Callable<Integer> {
    private static final String TEXT = "!say ok";
    private static final int AT_ONCE = 10_000;
    private static final Duration SETTLES = Duration.ofSeconds(3);

    @Option(
            names = "--rate",
            defaultValue = "100",
            paramLabel = "N",
            description = "turns a second in the busy project (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--own-rate",
            defaultValue = "10",
            paramLabel = "N",
            description = "turns a second in the observed project (${DEFAULT-VALUE})")
    private int ownRate;

    @Option(
            names = "--sessions",
            defaultValue = "500",
            paramLabel = "N",
            description = "sessions of each project (${DEFAULT-VALUE})")
    private int sessions;

    @Option(
            names = "--projects",
            defaultValue = "10000",
            paramLabel = "N",
            description = "projects in all (${DEFAULT-VALUE})")
    private int projects;

    @Option(
            names = "--first-uses",
            defaultValue = "200",
            paramLabel = "N",
            description = "projects among them that are used for the first time (${DEFAULT-VALUE})")
    private int firstUses;

    @Mixin
    private LoadTimes times = new LoadTimes(60);

    @Option(
            names = "--rounds",
            defaultValue = "3",
            paramLabel = "N",
            description = "measurements of each kind, in turns (${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "random seed (${DEFAULT-VALUE})")
    private long seed;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Bench.run("", this::measure);
        return 0;
    }

    private void measure(Instance instance) throws InterruptedException {
        System.out.printf(
                "seed %d, %,d projects; %d turns/s in one of %d sessions, %d turns/s in the other; warm-up of %d s%n",
                seed, projects, rate, sessions, ownRate, times.warmUp());
        List<String> keys = atRest(instance);
        String busy = keys.get(0);
        String observed = keys.get(1);
        load(instance, busy, "warm").atRate(rate, Duration.ofSeconds(times.warmUp()), sessions);
        load(instance, observed, "warm").atRate(ownRate, SETTLES, sessions);
        var alone = histogram();
        var underLoad = histogram();
        for (int round = 0; round < rounds; round++) {
            alone.add(measureObserved(instance, observed, "alone" + round));
            underLoad.add(measureUnderLoad(instance, busy, observed, "beside" + round));
        }
        Bench.print("alone, %d turns/s".formatted(ownRate), alone);
        Bench.print("while another project has %d turns/s".formatted(rate), underLoad);
        System.out.printf("    p50 %s, p95 %s%n", change(alone, underLoad, 50), change(alone, underLoad, 95));
        firstUses(instance, observed, keys.subList(2, Math.min(keys.size(), 2 + firstUses)));
        ResourceUsage.of(instance).print("at the end");
    }

    private List<String> atRest(Instance instance) throws InterruptedException {
        var before = ResourceUsage.of(instance);
        before.print("without projects");
        var tenants = new SyntheticTenants(instance.beans().getBean(Database.class), seed);
        List<String> keys = tenants.projects(projects, instance.beans().getBean(AccessFollower.class));
        var after = ResourceUsage.of(instance);
        after.print("with %,d projects at rest".formatted(projects));
        System.out.printf(
                "    heap: some %.1f KiB for each project with its owner's membership%n",
                (after.heap() - before.heap()) / 1024.0 / projects);
        return keys;
    }

    private static TurnLoad load(Instance instance, String project, String run) {
        var gateway = instance.beans().getBean(CommandGateway.class);
        return new TurnLoad(gateway, AccessDirectory.DEFAULT_HOST, project, TEXT, run, AT_ONCE);
    }

    private Histogram measureObserved(Instance instance, String project, String run) throws InterruptedException {
        var figures = load(instance, project, run).atRate(ownRate, Duration.ofSeconds(times.seconds()), sessions);
        Bench.printFailed(figures.failed());
        return figures.micros();
    }

    private Histogram measureUnderLoad(Instance instance, String busy, String observed, String run)
            throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var load = threads.submit(() -> load(instance, busy, run)
                    .atRate(rate, SETTLES.multipliedBy(2).plusSeconds(times.seconds()), sessions));
            Thread.sleep(SETTLES);
            Histogram measured = measureObserved(instance, observed, run);
            System.out.printf("    the other one had %.0f turns/s%n", load.get().perSecond());
            return measured;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the load stopped", e);
        }
    }

    private static String change(Histogram before, Histogram after, double percentile) {
        double baseline = before.getValueAtPercentile(percentile);
        return "%+.0f %%".formatted((after.getValueAtPercentile(percentile) - baseline) / baseline * 100);
    }

    /** Measures single turns, alternately in new sessions of a used project and in unused projects. */
    private static void firstUses(Instance instance, String used, List<String> unused) throws InterruptedException {
        var usual = histogram();
        var first = histogram();
        for (int i = 0; i < unused.size(); i++) {
            usual.add(once(instance, used, "usual" + i));
            first.add(once(instance, unused.get(i), "first"));
        }
        Bench.print("one after the other: first turn of a session", usual);
        Bench.print("first turn of a project", first);
    }

    private static Histogram once(Instance instance, String project, String run) throws InterruptedException {
        return load(instance, project, run).atRate(1, Duration.ofSeconds(1), 1).micros();
    }

    private static Histogram histogram() {
        return new Histogram(TurnLoad.HIGHEST_MICROS, 3);
    }
}
