package dev.parley.bench;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.projection.ReplayReport;
import dev.parley.sessions.SessionsSchema;
import dev.parley.sessions.projection.Projector;
import dev.parley.sessions.projection.SessionViewsReplay;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench views}: throughput and processor time of the session projector. */
@Command(
        name = "views",
        mixinStandardHelpOptions = true,
        description =
                "How fast the views of sessions follow turn-events, and are filled anew from it: synthetic turns of eight events with"
                        + " a tool call each. Broker and database share this machine; processor time is that of the"
                        + " projector's thread and of Postgres.")
final class BenchViews implements Callable<Integer> {
    private static final String PROJECT = "bench";
    private static final Duration POLL_INTERVAL = Duration.ofMillis(1);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Option(
            names = "--events",
            defaultValue = "100000",
            paramLabel = "N",
            description = "events of the first measurement (${DEFAULT-VALUE})")
    private int events;

    @Option(
            names = "--sessions",
            defaultValue = "2000",
            paramLabel = "N",
            description = "sessions that they are spread over (${DEFAULT-VALUE})")
    private int sessions;

    @Option(names = "--runs", defaultValue = "2", paramLabel = "N", description = "replays (${DEFAULT-VALUE})")
    private int runs;

    @Option(
            names = "--rate",
            defaultValue = "4000",
            paramLabel = "N",
            description = "events a second of the paced measurement (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            paramLabel = "N",
            description = "length of the paced measurement (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--turns",
            defaultValue = "200",
            paramLabel = "N",
            description = "turns one after the other, each waited for (${DEFAULT-VALUE})")
    private int turns;

    @Override
    public Integer call() throws Exception {
        Bench.withBroker(this::measure);
        return 0;
    }

    private void measure(KafkaClients clients, DataFolder data) throws Exception {
        try (EmbeddedPostgresServer postgres = EmbeddedPostgresServer.start(data, 0)) {
            DataSource owner = Databases.single(postgres.database().owner());
            SessionsSchema.migrate(owner, EmbeddedPostgresServer.APP_ROLE);
            var app = Database.of(Databases.single(postgres.database().app()));
            var cost = new Cost(data.resolve("postgres"));
            try (Connection writing = app.begin(Tenant.NONE);
                    Connection reading = app.begin(Tenant.NONE);
                    var ends = new TopicEnds(clients, Topics.TURN_EVENTS, Duration.ofSeconds(30))) {
                measure(new TestBed(clients, Database.on(writing), Database.on(reading), ends, cost));
                for (int run = 0; run < runs; run++) {
                    replay(clients, owner, cost);
                }
            }
        }
    }

    /** The parts that a measurement uses. */
    private record TestBed(KafkaClients clients, Database writing, Database reading, TopicEnds ends, Cost cost) {}

    private void measure(TestBed bed) throws Exception {
        var load = new EventLoad(bed.clients());
        int round = load.write(PROJECT, sessions, 0, events, 0);
        bed.cost().start(Cost::projectorNanos);
        try (var projector =
                new Projector(bed.clients(), bed.writing(), Topics.TURN_EVENTS, new SimpleMeterRegistry())) {
            projector.start();
            await(bed);
            bed.cost().print("followed from its beginning", events);
            int paced = rate * seconds;
            for (int run = 0; run < 2; run++) {
                bed.cost().start(Cost::projectorNanos);
                round = load.write(PROJECT, sessions, round, paced, rate);
                await(bed);
                bed.cost().print("followed at %,d events/s".formatted(rate), paced);
            }
            measureSingleTurns(bed, load);
        }
    }

    private void measureSingleTurns(TestBed bed, EventLoad load) throws Exception {
        var times = new Histogram(3);
        try (var producer = bed.clients().producer("bench")) {
            for (int turn = 0; turn < turns; turn++) {
                int session = sessions + turn;
                Bench.<Exception>time(times, () -> {
                    load.turn(producer, PROJECT, session, 0);
                    producer.flush();
                    await(bed);
                });
            }
        }
        Bench.print("a turn alone, until the views show it", times);
    }

    private static void await(TestBed bed) throws Exception {
        long end = bed.ends().now().values().stream().mapToLong(Long::longValue).sum();
        while (sumOffsets(bed.reading()) < end) {
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private static long sumOffsets(Database database) throws SQLException {
        try (Connection connection = database.begin(Tenant.ALL);
                PreparedStatement offsets = connection.prepareStatement(
                        "SELECT coalesce(sum(\"offset\"), 0) FROM sessions.projection_offset_t");
                ResultSet row = offsets.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void replay(KafkaClients clients, DataSource owner, Cost cost) throws SQLException {
        cost.start(THREADS::getCurrentThreadCpuTime);
        ReplayReport report = new SessionViewsReplay(owner, clients, Topics.TURN_EVENTS).run();
        cost.print("replayed, with two digests; the same rows as before: " + report.isEqual(), report.events());
    }

    /** Wall time, and processor time of the projector and of Postgres. */
    static final class Cost {
        private final Path postgres;
        private LongSupplier writer = () -> 0;
        private long wall;
        private long thread;
        private long processes;

        Cost(Path postgres) {
            this.postgres = postgres;
        }

        /** @param writer processor time of the thread that writes, in nanoseconds */
        void start(LongSupplier writer) {
            this.writer = writer;
            wall = System.nanoTime();
            thread = writer.getAsLong();
            processes = postgresNanos();
        }

        void print(String label, long events) {
            double took = System.nanoTime() - wall;
            double threadTook = writer.getAsLong() - thread;
            double processesTook = postgresNanos() - processes;
            System.out.printf(
                    "%-52s %,8.0f events/s   projector %5.1f µs an event (%.2f cores)   Postgres %5.1f µs (%.2f cores)%n",
                    label,
                    events / (took / 1e9),
                    threadTook / 1e3 / events,
                    threadTook / took,
                    processesTook / 1e3 / events,
                    processesTook / took);
        }

        static long projectorNanos() {
            for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
                if (info != null && info.getThreadName().equals("projector")) {
                    return THREADS.getThreadCpuTime(info.getThreadId());
                }
            }
            return 0;
        }

        private long postgresNanos() {
            try {
                long pid = Long.parseLong(
                        Files.readAllLines(postgres.resolve("postmaster.pid")).getFirst());
                ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
                return cpu(server) + server.children().mapToLong(Cost::cpu).sum();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static long cpu(ProcessHandle process) {
            return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
        }
    }
}
