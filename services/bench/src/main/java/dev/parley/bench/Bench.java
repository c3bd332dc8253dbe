package dev.parley.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.server.Instance;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.common.utils.AppInfoParser;

/** Shared parts of the benchmarks: an instance or a broker of their own, and the output of figures. */
final class Bench {
    /** Partitions of each topic of {@link #withBroker}. */
    static final int PARTITIONS = 2;

    private Bench() {}

    /** A measurement of an instance. */
    @FunctionalInterface
    interface Measurement {
        void of(Instance instance) throws IOException, InterruptedException;
    }

    /**
     * Measures an instance in a temporary folder, which is deleted afterwards.
     *
     * @param settings the text of its {@code parley.yml}
     */
    static void run(String settings, Measurement measurement) throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.create();
                Instance instance = Instance.start(ConfigReader.read(environment(folder.path(), settings)))) {
            printMachine();
            measurement.of(instance);
        }
    }

    /** A measurement of a broker without an instance. */
    @FunctionalInterface
    interface BrokerMeasurement {
        /** @param data the folder of the broker */
        void of(KafkaClients clients, DataFolder data) throws Exception;
    }

    /** Starts a broker with all topics in a temporary folder, and measures. */
    static void withBroker(BrokerMeasurement measurement) throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create();
                DataFolder data = DataFolder.open(folder.path().resolve("data"));
                EmbeddedKafka kafka = EmbeddedKafka.start(data, 0)) {
            printMachine();
            KafkaClients clients = kafka.clients();
            try (var admin = clients.admin("bench")) {
                new TopicAdmin(admin, PARTITIONS, (short) 1).createMissing();
            }
            measurement.of(clients, data);
        }
    }

    /** The environment of an instance in a folder, with the text of its {@code parley.yml}. */
    static Map<String, String> environment(Path folder, String settings) throws IOException {
        var environment = new HashMap<>(System.getenv());
        environment
                .keySet()
                .removeIf(name -> name.startsWith("TELEGRAM_")); // a benchmark must not take the messages of a real bot
        environment.put("PARLEY_DATA", folder.resolve("data").toString());
        environment.put(
                "PARLEY_CONFIG",
                Files.writeString(folder.resolve("parley.yml"), settings).toString());
        environment.put("PARLEY_PORT", "0");
        return environment;
    }

    /** An operation to measure. */
    @FunctionalInterface
    interface Operation<E extends Exception> {
        void run() throws E;
    }

    /** Records the duration of an operation. */
    static <E extends Exception> void time(Histogram micros, Operation<E> operation) throws E {
        long start = System.nanoTime();
        operation.run();
        micros.recordValue((System.nanoTime() - start) / 1_000);
    }

    static void print(String label, Histogram micros) {
        System.out.printf(
                "%-52s p50 %7.1f ms   p95 %7.1f ms   p99 %7.1f ms   max %7.1f ms%n",
                label,
                micros.getValueAtPercentile(50) / 1000.0,
                micros.getValueAtPercentile(95) / 1000.0,
                micros.getValueAtPercentile(99) / 1000.0,
                micros.getMaxValue() / 1000.0);
    }

    static void printMachine() {
        OperatingSystemMXBean os = machine();
        System.out.printf(
                "java %s, kafka %s, %d cores, %d MiB memory, %s %s%n",
                Runtime.version(),
                AppInfoParser.getVersion(),
                os.getAvailableProcessors(),
                os.getTotalMemorySize() >> 20,
                os.getName(),
                os.getArch());
    }

    /** Warns of turns that failed or did not end. */
    static void printFailed(int turns) {
        if (turns > 0) {
            System.out.printf("    %d turns FAILED or did not end%n", turns);
        }
    }

    /** Bytes of the heap in use after a collection. */
    static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Processor time of this process. */
    static long cpuNanos() {
        return machine().getProcessCpuTime();
    }

    private static OperatingSystemMXBean machine() {
        return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    }
}
