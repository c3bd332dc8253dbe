package dev.parley.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.Instance;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley bench memory-http}: latency of retaining short documents and of recall, over HTTP. */
@Command(
        name = "memory-http",
        mixinStandardHelpOptions = true,
        description =
                "Short documents retained with ?wait, and recall, through HTTP: each client sends its next request when the"
                        + " last one is answered. Clients, broker, database and Parley share this machine.")
final class BenchMemoryHttp implements Callable<Integer> {
    private static final String RETAIN = "/docs?wait=30s";
    private static final String RECALL = "/recall";

    @Option(
            names = "--clients",
            defaultValue = "16",
            paramLabel = "N",
            description = "concurrent clients, measured besides a single one (${DEFAULT-VALUE})")
    private int clients;

    @Option(
            names = "--banks",
            defaultValue = "1",
            paramLabel = "N",
            description = "banks that the clients share (${DEFAULT-VALUE})")
    private int banks;

    @Mixin
    private LoadTimes times = new LoadTimes(60);

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "random seed (${DEFAULT-VALUE})")
    private long seed;

    private final ObjectMapper json = JsonMappers.stored();
    private final AtomicInteger runs = new AtomicInteger();
    private final List<String> ids = new ArrayList<>();

    private @Nullable HttpLoad http;

    /** Requests of one kind: where they go, and what each says. */
    private enum Load {
        RETAINED(RETAIN, "retain, %d client%s"),
        RECALLED(RECALL, "recall, %d client%s");

        private final String path;
        private final String label;

        Load(String path, String label) {
            this.path = path;
            this.label = label;
        }

        private Map<String, Object> body(ShortTexts texts) {
            return switch (this) {
                case RETAINED -> Map.of("text", texts.document());
                case RECALLED -> Map.of("query", texts.question());
            };
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Bench.run("", this::measure);
        return 0;
    }

    private void measure(Instance instance) throws IOException, InterruptedException {
        http = new HttpLoad(instance);
        System.out.printf(
                "seed %d, %d banks; warm-up of %d s, then %d s for each measurement%n",
                seed, banks, times.warmUp(), times.seconds());
        for (int i = 0; i < banks; i++) {
            ids.add(open("bench-" + i));
        }
        for (Load load : Load.values()) {
            run(load, clients, times.warmUp() / Load.values().length);
        }
        for (Load load : Load.values()) {
            print(load, 1);
            print(load, clients);
        }
    }

    private void print(Load load, int concurrency) throws InterruptedException {
        var time = Stopwatch.ofProcess();
        Histogram micros = run(load, concurrency, times.seconds());
        double cpuMillis = time.cpuSeconds() * 1e3 / Math.max(1, micros.getTotalCount());
        Bench.print(load.label.formatted(concurrency, concurrency == 1 ? "" : "s"), micros);
        System.out.printf(
                "    %.1f/s; %.1f ms of a core in this process for each%n",
                micros.getTotalCount() / (double) times.seconds(), cpuMillis);
    }

    private Histogram run(Load load, int concurrency, int length) throws InterruptedException {
        return Objects.requireNonNull(http).run(concurrency, Duration.ofSeconds(length), client -> {
            String bank = ids.get(client % ids.size());
            var texts = new ShortTexts(new SplittableRandom(seed + runs.getAndIncrement()));
            return () -> post("/v1/banks/" + bank + load.path, load.body(texts));
        });
    }

    private String open(String agent) throws IOException, InterruptedException {
        String opened = post("/v1/banks", Map.of("scope", "user_agent", "agent", agent));
        return json.readTree(opened).path("id").asText();
    }

    private String post(String path, Map<String, Object> body) throws IOException, InterruptedException {
        return Objects.requireNonNull(http).post(path, "application/json", json.writeValueAsString(body));
    }
}
