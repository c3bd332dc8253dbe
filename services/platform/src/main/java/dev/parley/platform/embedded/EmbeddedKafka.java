package dev.parley.platform.embedded;

import dev.parley.platform.kafka.KafkaClients;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.management.ObjectName;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker in this JVM: one node, one replica, on 127.0.0.1, with a random password stored in the data folder. Its
 * data survives restarts and killed processes, but not the loss of the disk.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);
    private static final Duration MAX_FENCING = Duration.ofSeconds(20);

    private final KafkaRaftServer server;
    private final int port;
    private final KafkaLogin login;

    private EmbeddedKafka(KafkaRaftServer server, int port, KafkaLogin login) {
        this.server = server;
        this.port = port;
        this.login = login;
    }

    /**
     * Starts the broker on {@code kafka/} in the data folder and returns when it serves clients.
     *
     * @param wantedPort of clients; 0 for the port of the last start. If it is taken, another one is chosen, see
     *     {@link #port()}
     * @throws StartupException if the broker cannot start
     */
    public static EmbeddedKafka start(DataFolder data, int wantedPort) {
        return start(data, wantedPort, Map.of());
    }

    /** Starts the broker with additional settings, which override the defaults. */
    public static EmbeddedKafka start(DataFolder data, int wantedPort, Map<String, String> settings) {
        var start = System.nanoTime();
        try {
            PrivateFiles.createFolder(data.resolve("kafka"));
            var port = Ports.choose(data.resolve("kafka.port"), wantedPort);
            var login = KafkaLogin.of(data);
            var server = startServer(data.resolve("kafka"), port, login, settings);
            LOG.info("Kafka listens on 127.0.0.1:{} after {} ms", port, (System.nanoTime() - start) / 1_000_000);
            return new EmbeddedKafka(server, port, login);
        } catch (Exception e) {
            throw new StartupException("The embedded Kafka broker did not start: " + e.getMessage(), e);
        }
    }

    /** The value of {@code bootstrap.servers}. */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** Clients with its password, which sign nothing. */
    public KafkaClients clients() {
        return KafkaClients.of(bootstrap(), login.clientSettings());
    }

    /** The actual port. */
    public int port() {
        return port;
    }

    /** Stops the broker and returns when its logs are closed. */
    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private static KafkaRaftServer startServer(
            Path logFolder, int port, KafkaLogin login, Map<String, String> additional) throws Exception {
        formatOnce(logFolder);
        if (wasKilled(logFolder)) {
            fenceKilledBroker(logFolder, login);
        }
        // The quorum is read from the configuration at each start, so the controller's port may change every time.
        var settings = BrokerSettings.of(logFolder, port, anotherPort(port), login);
        settings.putAll(additional);
        var server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        try {
            server.startup();
            return server;
        } catch (Throwable e) {
            server.shutdown();
            throw e;
        }
    }

    private static boolean wasKilled(Path logFolder) {
        return Files.exists(logFolder.resolve("__cluster_metadata-0"))
                && !Files.exists(logFolder.resolve(".kafka_cleanshutdown"));
    }

    /**
     * Runs the controller alone until the registration of the killed broker expires. A broker that starts earlier
     * believes that it is the leader, and completes transactions that were about to be committed. When the registration
     * then expires, its partitions have no leader, which it mistakes for deleted topics: it completes these
     * transactions without writing their markers. Their offsets stay uncertain, and their owner never starts (Kafka
     * 4.3.1, seen in one of about twenty kills under load).
     */
    private static void fenceKilledBroker(Path logFolder, KafkaLogin login) throws Exception {
        var start = System.nanoTime();
        var settings = BrokerSettings.ofController(logFolder, Ports.freeOr(0), login);
        var controller = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        try {
            controller.startup();
            awaitFencing(start);
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
        }
        LOG.debug("a killed broker was fenced in {} ms", (System.nanoTime() - start) / 1_000_000);
    }

    private static void awaitFencing(long start) throws Exception {
        var fenced = new ObjectName("kafka.controller:type=KafkaController,name=FencedBrokerCount");
        var beans = ManagementFactory.getPlatformMBeanServer();
        while (!beans.isRegistered(fenced) || !Integer.valueOf(1).equals(beans.getAttribute(fenced, "Value"))) {
            if (System.nanoTime() - start > MAX_FENCING.toNanos()) {
                LOG.warn(
                        "the broker that was killed is still registered after {}; it starts all the same", MAX_FENCING);
                return;
            }
            Thread.sleep(20);
        }
    }

    private static int anotherPort(int port) {
        var other = Ports.freeOr(0);
        return other == port ? anotherPort(port) : other;
    }

    private static void formatOnce(Path logFolder) throws Exception {
        if (Files.exists(logFolder.resolve("meta.properties"))) {
            return;
        }
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(1)
                .setControllerListenerName(BrokerSettings.CONTROLLER)
                .setMetadataLogDirectory(logFolder.toString())
                .addDirectory(logFolder.toString())
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setIgnoreFormatted(true)
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                .run();
    }
}
