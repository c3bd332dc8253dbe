package dev.parley.bench;

import dev.parley.server.Instance;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench reads}: latency of the lists and pages that the console and clients read. */
@Command(
        name = "reads",
        mixinStandardHelpOptions = true,
        description =
                "Sessions with turns of two tool calls, then the lists and pages that clients read of them through HTTP, in"
                        + " rounds of one request each. Client, broker, database and Parley share this machine.")
final class BenchReads implements Callable<Integer> {
    private static final Duration MAX_TIME = Duration.ofMinutes(1);
    private static final String TURN = """
            {"text": "!call echo {\\"text\\":\\"one\\"}\\n!call time {}\\n!then\\n!say both done"}
            """;

    @Option(names = "--sessions", defaultValue = "150", paramLabel = "N", description = "(${DEFAULT-VALUE})")
    private int sessions;

    @Option(
            names = "--turns",
            defaultValue = "60",
            paramLabel = "N",
            description = "turns of the first session; the others have one (${DEFAULT-VALUE})")
    private int turns;

    @Option(
            names = "--warm-up",
            defaultValue = "1500",
            paramLabel = "N",
            description = "rounds before anything is measured (${DEFAULT-VALUE})")
    private int warmUp;

    @Option(names = "--rounds", defaultValue = "1000", paramLabel = "N", description = "(${DEFAULT-VALUE})")
    private int rounds;

    private @Nullable HttpLoad http;

    /** A read and its latencies in microseconds. */
    private record Read(String label, String path, Histogram micros) {
        Read(String label, String path) {
            this(label, path, new Histogram(MAX_TIME.toNanos() / 1_000, 3));
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
                "%,d sessions, %,d turns in the first; warm-up of %,d rounds, then %,d%n",
                sessions, turns, warmUp, rounds);
        fill();
        List<Read> reads = reads();
        for (int round = 0; round < warmUp; round++) {
            read(reads);
        }
        reads.forEach(read -> read.micros().reset());
        for (int round = 0; round < rounds; round++) {
            read(reads);
        }
        reads.forEach(read -> Bench.print(read.label(), read.micros()));
    }

    private void fill() throws IOException, InterruptedException {
        for (int turn = 0; turn < turns; turn++) {
            turn(0);
        }
        for (int session = 1; session < sessions; session++) {
            turn(session);
        }
    }

    private void turn(int session) throws IOException, InterruptedException {
        load().post("/v1/sessions/bench:%d/turns?wait=30s".formatted(session), "application/json", TURN);
    }

    private static List<Read> reads() {
        String session = "/v1/sessions/bench:0";
        return List.of(
                new Read("50 sessions", "/v1/sessions?limit=50"),
                new Read("50 turns of all sessions", "/v1/turns?limit=50"),
                new Read("one session", session),
                new Read("50 messages of a session", session + "/messages?limit=50"),
                new Read("50 turns of a session", session + "/turns?limit=50"),
                new Read("approvals, none", "/v1/approvals"),
                new Read("overview", "/v1/ops/overview"));
    }

    private void read(List<Read> reads) throws IOException, InterruptedException {
        for (Read read : reads) {
            long start = System.nanoTime();
            load().get(read.path());
            read.micros().recordValue((System.nanoTime() - start) / 1_000);
        }
    }

    private HttpLoad load() {
        return Objects.requireNonNull(http);
    }
}
