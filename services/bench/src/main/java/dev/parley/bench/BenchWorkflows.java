package dev.parley.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.server.Instance;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley bench workflows}: throughput of workflow processes, and lateness of many timers. */
@Command(
        name = "workflows",
        mixinStandardHelpOptions = true,
        description =
                "Processes of ten local steps from HTTP to their end, and many that wait for a time. Clients, broker,"
                        + " database and Parley share this machine.")
final class BenchWorkflows implements Callable<Integer> {
    private static final String YAML = "application/yaml";
    private static final String JSON = "application/json";
    private static final String START = "/v1/workflows/bench:";

    @Option(
            names = "--clients",
            defaultValue = "64",
            paramLabel = "N",
            description = "concurrent clients, measured besides 1 and 16 (${DEFAULT-VALUE})")
    private int clients;

    @Mixin
    private LoadTimes times = new LoadTimes(30);

    @Option(
            names = "--timers",
            defaultValue = "10000",
            paramLabel = "N",
            description = "concurrently waiting processes (${DEFAULT-VALUE})")
    private int timers;

    private final ObjectMapper json = JsonMappers.stored();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Bench.run("", this::measure);
        return 0;
    }

    private void measure(Instance instance) throws IOException, InterruptedException {
        var http = new HttpLoad(instance);
        System.out.printf("warm-up of %d s, then %d s for each measurement%n", times.warmUp(), times.seconds());
        http.post("/v1/workflows", YAML, steps());
        http.run(16, Duration.ofSeconds(times.warmUp()), _ -> () -> start(http, "steps"));
        KafkaClients kafka = instance.beans().getBean(KafkaClients.class);
        for (int concurrency : new int[] {1, 16, clients}) {
            var traffic = TopicTraffic.now(kafka);
            var time = Stopwatch.ofProcess();
            Histogram micros =
                    http.run(concurrency, Duration.ofSeconds(times.seconds()), _ -> () -> start(http, "steps"));
            double cores = time.cores();
            Bench.print("ten local steps, %d client%s".formatted(concurrency, concurrency == 1 ? "" : "s"), micros);
            System.out.printf(
                    "    %.0f processes/s, %.0f tasks/s, JVM used %.2f cores%n",
                    micros.getTotalCount() / (double) times.seconds(),
                    micros.getTotalCount() * 10.0 / times.seconds(),
                    cores);
            TopicTraffic.now(kafka).printSince(traffic, (int) micros.getTotalCount());
        }
        waiting(http);
    }

    private static String definition(String name, String body) {
        return "document: { dsl: '1.0.3', namespace: bench, name: %s, version: '1.0.0' }%n%s".formatted(name, body);
    }

    private static String steps() {
        var yaml = new StringBuilder("do:\n  - s0: { set: { n: 0 } }\n");
        for (int i = 1; i < 10; i++) {
            yaml.append("  - s%d: { set: { n: '${ .n + 1 }' } }%n".formatted(i));
        }
        return definition("steps", yaml.toString());
    }

    private static void start(HttpLoad http, String name) throws IOException, InterruptedException {
        String response = http.post(START + name + "/instances?wait=30s", JSON, "{}");
        if (!response.contains("\"status\":\"C\"")) {
            throw new IOException("it did not end: " + response);
        }
    }

    /** Measures the lateness of many processes that wait for the same time. */
    private void waiting(HttpLoad http) throws IOException, InterruptedException {
        Duration wait = Duration.ofSeconds(20 + timers / 500);
        http.post(
                "/v1/workflows",
                YAML,
                definition("waits", "do: [ { nap: { wait: PT%dS } } ]%n".formatted(wait.toSeconds())));
        long before = Bench.usedHeap();
        long start = System.nanoTime();
        int failed = startTimers(http);
        System.out.printf(
                "%d processes that wait were started in %.1f s (%d failed); they take %d MiB of the heap%n",
                timers, (System.nanoTime() - start) / 1e9, failed, (Bench.usedHeap() - before) >> 20);
        measureLateness(http, wait);
    }

    /** Starts the waiting processes; returns the number of failures. */
    private int startTimers(HttpLoad http) throws InterruptedException {
        var room = new Semaphore(clients);
        var failed = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < timers; i++) {
                room.acquire();
                threads.execute(() -> {
                    try {
                        http.post(START + "waits/instances", JSON, "{}");
                    } catch (IOException e) {
                        failed.incrementAndGet();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        room.release();
                    }
                });
            }
        }
        return failed.get();
    }

    private void measureLateness(HttpLoad http, Duration nap) throws IOException, InterruptedException {
        while (!page(http, "status=W").path("data").isEmpty()) {
            Thread.sleep(500); // polls until all have ended
        }
        var micros = new Histogram(3_600_000_000L, 3);
        JsonNode page = page(http, "status=C");
        page.path("data").forEach(process -> micros.recordValue(lateMicros(process, nap)));
        while (page.path("next").isTextual() && micros.getTotalCount() < timers) {
            page = page(http, "status=C&cursor=" + page.path("next").asText());
            page.path("data").forEach(process -> micros.recordValue(lateMicros(process, nap)));
        }
        Bench.print("lateness of %d timers".formatted(micros.getTotalCount()), micros);
    }

    private static long lateMicros(JsonNode process, Duration nap) {
        Duration took = Duration.between(
                Instant.parse(process.path("startedAt").asText()),
                Instant.parse(process.path("completedAt").asText()));
        return Math.max(0, took.minus(nap).toMillis() * 1_000);
    }

    private JsonNode page(HttpLoad http, String filter) throws IOException, InterruptedException {
        return json.readTree(http.get("/v1/processes?fresh=true&limit=200&definition=bench:waits&" + filter));
    }
}
