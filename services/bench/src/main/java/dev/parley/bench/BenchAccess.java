package dev.parley.bench;

import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.database.Database;
import dev.parley.server.Instance;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench access}: cost of authentication, and latency of long lists. */
@Command(
        name = "access",
        mixinStandardHelpOptions = true,
        description =
                "What it adds to a request to know the caller and what they may do, and how long lists take where there"
                        + " are many people, projects and sessions. One request at a time.")
final class BenchAccess implements Callable<Integer> {
    private static final Pattern NEXT = Pattern.compile("\"next\":\"([^\"]+)\"");
    private static final Duration MAX_TIME = Duration.ofMinutes(1);
    private static final int PAGES = 5;

    @Option(names = "--sessions", defaultValue = "100000", paramLabel = "N", description = "(${DEFAULT-VALUE})")
    private int sessions;

    @Option(names = "--people", defaultValue = "100000", paramLabel = "N", description = "(${DEFAULT-VALUE})")
    private int people;

    @Option(names = "--projects", defaultValue = "10000", paramLabel = "N", description = "(${DEFAULT-VALUE})")
    private int projects;

    @Option(names = "--keys", defaultValue = "100000", paramLabel = "N", description = "API keys (${DEFAULT-VALUE})")
    private int keys;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            paramLabel = "N",
            description = "length of each measurement, and of the warm-up before it (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "random seed (${DEFAULT-VALUE})")
    private long seed;

    private Random random = new Random();
    private @Nullable HttpLoad http;

    @Override
    public Integer call() throws IOException, InterruptedException {
        System.setProperty(BenchRoutes.PROPERTY, "true");
        Bench.run("", this::measure);
        return 0;
    }

    private void measure(Instance instance) throws IOException, InterruptedException {
        http = new HttpLoad(instance);
        random = new Random(seed);
        System.out.printf(
                "seed %d: %,d people, %,d keys, %,d projects, %,d sessions%n", seed, people, keys, projects, sessions);
        new SyntheticTenants(instance.beans().getBean(Database.class), seed)
                .fill(people, keys, projects, sessions, instance.beans().getBean(AccessFollower.class));
        for (boolean printed : List.of(false, true)) {
            measureAuthentication(printed);
        }
        for (Listing listing : lists(instance.adminKey())) {
            measurePages(listing);
        }
    }

    /** Alternates between both routes, so that other load on the machine affects both. */
    private void measureAuthentication(boolean printed) throws IOException, InterruptedException {
        var open = histogram();
        var guarded = histogram();
        long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        while (System.nanoTime() < deadline) {
            get("/bench/open/default", null, open);
            get("/bench/guarded/default", anyKey(), guarded);
        }
        if (printed) {
            Bench.print("a route for everybody", open);
            Bench.print("the same for who may read sessions, any key", guarded);
            System.out.printf(
                    "    added: p50 %.3f ms, p99 %.3f ms; %d requests of each%n",
                    (guarded.getValueAtPercentile(50) - open.getValueAtPercentile(50)) / 1000.0,
                    (guarded.getValueAtPercentile(99) - open.getValueAtPercentile(99)) / 1000.0,
                    open.getTotalCount());
        }
    }

    private record Listing(String label, Supplier<String> path, Supplier<String> key) {}

    private List<Listing> lists(String admin) {
        return List.of(
                new Listing("sessions, a member's own", () -> "/v1/sessions?limit=50", this::anyKey),
                new Listing("sessions of all, an administrator", () -> "/v1/sessions?limit=50", () -> admin),
                new Listing("the same with archived ones", () -> "/v1/sessions?includeArchived=true", () -> admin),
                new Listing(
                        "users whose names begin so",
                        () -> "/v1/users?name=%02x".formatted(random.nextInt(256)),
                        () -> admin),
                new Listing("projects, a member's own", () -> "/v1/projects", this::anyKey),
                new Listing("projects of all, an administrator", () -> "/v1/projects?all=true", () -> admin));
    }

    /** Reads first and next pages; the first half of the time is the warm-up. */
    private void measurePages(Listing list) throws IOException, InterruptedException {
        var first = histogram();
        var next = histogram();
        long start = System.nanoTime();
        long length = Duration.ofSeconds(seconds).toNanos() / 2;
        boolean warm = false;
        while (System.nanoTime() - start < 2 * length) {
            if (!warm && System.nanoTime() - start > length) {
                warm = true;
                first.reset();
                next.reset();
            }
            follow(list.path().get(), list.key().get(), first, next);
        }
        Bench.print(list.label(), first);
        if (next.getTotalCount() > 0) {
            Bench.print("    next pages", next);
        }
    }

    private void follow(String path, String key, Histogram first, Histogram next)
            throws IOException, InterruptedException {
        Matcher matcher = NEXT.matcher(get(path, key, first));
        for (int page = 0; page < PAGES && matcher.find(); page++) {
            String cursor = (path.contains("?") ? "&" : "?") + "cursor=" + matcher.group(1);
            matcher = NEXT.matcher(get(path + cursor, key, next));
        }
    }

    private String anyKey() {
        return SyntheticTenants.key(random.nextInt(keys));
    }

    private static Histogram histogram() {
        return new Histogram(MAX_TIME.toNanos() / 1_000, 3);
    }

    private String get(String path, @Nullable String key, Histogram micros) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String body = Objects.requireNonNull(http).get(path, key);
        micros.recordValue((System.nanoTime() - start) / 1_000);
        return body;
    }
}
