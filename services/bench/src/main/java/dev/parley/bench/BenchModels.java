package dev.parley.bench;

import dev.parley.server.Instance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench models}: latency of streamed tokens, with many streams at once. */
@Command(
        name = "models",
        mixinStandardHelpOptions = true,
        description =
                "From the moment at which a provider sends a token to the moment at which a client of /v1/chat has it."
                        + " Provider, Parley and clients share this machine.")
final class BenchModels implements Callable<Integer> {
    private static final Pattern TOKEN = Pattern.compile("t(\\d{6,}) ");
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @Option(
            names = "--streams",
            defaultValue = "2000",
            paramLabel = "N",
            description = "streams at the same time (${DEFAULT-VALUE})")
    private int streams;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            paramLabel = "N",
            description = "length of each measurement (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--rate",
            defaultValue = "20",
            paramLabel = "N",
            description = "turns a second where single turns are measured (${DEFAULT-VALUE})")
    private int rate;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();

    private String url = "";
    private String key = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var provider = new TokenServer()) {
            Bench.run("""
                    model: bench/tokens
                    providers:
                      bench: { kind: openai, baseUrl: "%s" }
                    """.formatted(provider.url()), this::measure);
        }
        return 0;
    }

    private void measure(Instance instance) throws InterruptedException {
        url = instance.url();
        key = instance.adminKey();
        turns("warm-up", 0);
        turns("first token, %d turns/s".formatted(rate), 0).print();
        turns("the same, 5 %% of the calls last %d s".formatted(seconds * 2), 20)
                .print();
        var load = new Load("first token, %d streams at once".formatted(streams));
        var time = Stopwatch.ofProcess();
        load.streams();
        load.await();
        load.print();
        System.out.printf(
                "    %d at once at most, %.2f cores, heap after it %d MiB%n",
                load.maxActive.get(), time.cores(), Bench.usedHeap() >> 20);
    }

    private Load turns(String label, int slow) throws InterruptedException {
        var load = new Load(label);
        load.turns(Duration.ofSeconds(seconds), slow);
        load.await();
        return load;
    }

    /** Turns whose tokens are timed. */
    private final class Load {
        private final String label;
        private final Histogram first = new SynchronizedHistogram(TIMEOUT.toNanos() / 1_000, 3);
        private final Histogram all = new SynchronizedHistogram(TIMEOUT.toNanos() / 1_000, 3);
        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger active = new AtomicInteger();
        private final AtomicInteger maxActive = new AtomicInteger();
        private final AtomicInteger open = new AtomicInteger();
        private final CountDownLatch done = new CountDownLatch(1);

        Load(String label) {
            this.label = label;
        }

        /** Short turns at the rate; each {@code slow}th, if not 0, is a long one and not timed. */
        void turns(Duration length, int slow) throws InterruptedException {
            int count = (int) length.toSeconds() * rate;
            open.set(count);
            long next = System.nanoTime();
            for (int i = 0; i < count; i++) {
                boolean isLong = slow > 0 && i % slow == 0;
                String prompt = isLong ? TokenServer.prompt(2, length) : TokenServer.prompt(5, Duration.ofMillis(20));
                start(label.hashCode() + "-" + i, prompt, !isLong);
                next += TimeUnit.SECONDS.toNanos(1) / rate;
                TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
            }
        }

        /** Starts all streams within a third of the time, each with a token per second. */
        void streams() throws InterruptedException {
            open.set(streams);
            for (int i = 0; i < streams; i++) {
                start("many-" + i, TokenServer.prompt(seconds, Duration.ofSeconds(1)), true);
                TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(seconds) / 3 / streams);
            }
        }

        private void start(String session, String prompt, boolean timed) {
            Thread.ofVirtual().start(() -> {
                try {
                    maxActive.accumulateAndGet(active.incrementAndGet(), Math::max);
                    read(session, prompt, timed);
                } catch (IOException e) {
                    failed.incrementAndGet();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    active.decrementAndGet();
                    if (open.decrementAndGet() == 0) {
                        done.countDown();
                    }
                }
            });
        }

        private void read(String session, String prompt, boolean timed) throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(URI.create(url + "/v1/chat"))
                    .header("Authorization", "Bearer " + key)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"session\":\"%s\",\"text\":\"%s\"}".formatted(session, prompt)))
                    .build();
            boolean[] ended = {false};
            boolean[] received = {false};
            try (Stream<String> lines =
                    http.send(request, BodyHandlers.ofLines()).body()) {
                lines.forEach(line -> {
                    long receivedAt = System.nanoTime();
                    ended[0] |= line.equals("event: done");
                    if (timed && !ended[0]) {
                        tokens(line, receivedAt, received);
                    }
                });
            }
            if (!ended[0]) {
                failed.incrementAndGet();
            }
        }

        private void tokens(String line, long receivedAt, boolean[] received) {
            for (Matcher token = TOKEN.matcher(line); token.find(); ) {
                long micros = Math.max(0, receivedAt - Long.parseLong(token.group(1))) / 1_000;
                all.recordValue(micros);
                if (!received[0]) {
                    received[0] = true;
                    first.recordValue(micros);
                }
            }
        }

        void await() throws InterruptedException {
            if (!done.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                failed.addAndGet(open.get());
            }
        }

        void print() {
            Bench.print(label, first);
            Bench.print("    any token", all);
            Bench.printFailed(failed.get());
        }
    }
}
