package dev.parley.bench;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.server.Instance;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley bench turns}: overhead and throughput of turns, with a model that answers at once. */
@Command(
        name = "turns",
        mixinStandardHelpOptions = true,
        description = "Overhead and throughput of turns, with a model that takes no time. Broker, database, topology,"
                + " workers and projector share this machine.")
final class BenchTurns implements Callable<Integer> {
    /** The scripted model answers this in one piece; see docs/scripted-model.md. */
    private static final String PLAIN = "!say ok";

    /** The same number of model calls as {@link #ONE_TOOL}, without a tool worker. */
    private static final String OWN_TOOL = "!call todo_read {}\n!then\n!say ok";

    private static final String ONE_TOOL = "!call echo {\"text\":\"hi\"}\n!then\n!say ok";

    @Mixin
    private LoadTimes times = new LoadTimes(60);

    @Option(
            names = "--throughput-seconds",
            defaultValue = "60",
            paramLabel = "N",
            description = "length of the throughput measurement (${DEFAULT-VALUE})")
    private int throughputSeconds;

    @Option(
            names = "--sessions",
            defaultValue = "2000",
            paramLabel = "N",
            description = "sessions that the turns are spread over (${DEFAULT-VALUE})")
    private int sessions;

    @Option(
            names = "--in-flight",
            defaultValue = "300",
            paramLabel = "N",
            description = "turns in flight in the throughput measurement (${DEFAULT-VALUE})")
    private int inFlight;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Bench.run("", this::measure);
        return 0;
    }

    private void measure(Instance instance) throws InterruptedException {
        var lag = new ProjectionLag(instance);
        System.out.printf("warm-up of %d s, %d sessions%n", times.warmUp(), sessions);
        load(instance, PLAIN, "warm-plain", inFlight)
                .asFastAsPossible(Duration.ofSeconds(times.warmUp() / 2), sessions);
        load(instance, ONE_TOOL, "warm-tool", inFlight)
                .asFastAsPossible(Duration.ofSeconds(times.warmUp() / 2), sessions);
        lag.awaitNone(Duration.ofMinutes(2));
        KafkaClients clients = instance.beans().getBean(KafkaClients.class);
        String topic = Topics.DEAD_LETTERS.name();
        Bench.print("raw Kafka round trip, one record after the other", RoundTrip.measurePlain(clients, topic, 2_000));
        Bench.print(
                "the same in transactions with an offset each", RoundTrip.measureTransactions(clients, topic, 2_000));
        for (int rate : new int[] {5, 50, 100}) {
            rate(instance, "no tools", PLAIN, rate);
            rate(instance, "one call of the machine's own", OWN_TOOL, rate);
            rate(instance, "one tool call", ONE_TOOL, rate);
        }
        throughput(instance, lag, "no tools", PLAIN);
        throughput(instance, lag, "one tool call", ONE_TOOL);
    }

    private void rate(Instance instance, String label, String text, int rate) throws InterruptedException {
        var figures = load(instance, text, label.replaceAll("\\W", "-") + rate, 10_000)
                .atRate(rate, Duration.ofSeconds(times.seconds()), sessions);
        Bench.print("%s, %d turns/s".formatted(label, rate), figures.micros());
        Bench.printFailed(figures.failed());
    }

    private void throughput(Instance instance, ProjectionLag lag, String label, String text)
            throws InterruptedException {
        KafkaClients clients = instance.beans().getBean(KafkaClients.class);
        var traffic = TopicTraffic.now(clients);
        var requests = BrokerRequests.now();
        var time = Stopwatch.ofProcess();
        var figures = load(instance, text, "most-" + label.replace(' ', '-'), inFlight)
                .asFastAsPossible(Duration.ofSeconds(throughputSeconds), sessions);
        double cores = time.cores();
        long recordsBehind = lag.records();
        Bench.print("%s, %d in flight".formatted(label, inFlight), figures.micros());
        System.out.printf(
                "    %.0f turns/s over %d s, JVM used %.2f cores, views %d events behind at the end%n",
                figures.perSecond(), figures.took().toSeconds(), cores, recordsBehind);
        System.out.printf(
                "    broker requests a turn: %s%n", BrokerRequests.now().perTurnSince(requests, figures.completed()));
        TopicTraffic.now(clients).printSince(traffic, figures.completed());
        Bench.printFailed(figures.failed());
        System.out.printf(
                "    views caught up after %.1f s%n",
                lag.awaitNone(Duration.ofMinutes(5)).toMillis() / 1000.0);
    }

    private static TurnLoad load(Instance instance, String text, String run, int limit) {
        UUID host = Ids.parse(instance.beans().getRequiredProperty("parley.host", String.class));
        return new TurnLoad(
                instance.beans().getBean(CommandGateway.class), host, RecordKey.DEFAULT_PROJECT, text, run, limit);
    }
}
