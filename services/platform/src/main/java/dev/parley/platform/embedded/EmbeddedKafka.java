package dev.parley.platform.embedded;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker in this JVM: one node, one replica, on 127.0.0.1, without authentication. Its data survives a restart
 * and a killed process, not a lost disk.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);

    private final KafkaRaftServer server;
    private final int port;

    private EmbeddedKafka(KafkaRaftServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * Starts the broker on {@code kafka/} in the data folder and returns when it serves clients.
     *
     * @param wantedPort where clients shall connect; 0 for the port of the last time. If it is taken another is chosen,
     *     see {@link #port()}
     * @throws StartupException when the broker cannot start
     */
    public static EmbeddedKafka start(DataFolder data, int wantedPort) {
        var begun = System.nanoTime();
        try {
            PrivateFiles.createFolder(data.resolve("kafka"));
            var port = Ports.choose(data.resolve("kafka.port"), wantedPort);
            var server = startServer(data.resolve("kafka"), port);
            LOG.info("Kafka listens on 127.0.0.1:{} after {} ms", port, (System.nanoTime() - begun) / 1_000_000);
            return new EmbeddedKafka(server, port);
        } catch (Exception e) {
            throw new StartupException("The embedded Kafka broker did not start: " + e.getMessage(), e);
        }
    }

    /** What clients take as {@code bootstrap.servers}: host:port. */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** The port it really listens on. */
    public int port() {
        return port;
    }

    /** Stops the broker and returns when its logs are closed. */
    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private static KafkaRaftServer startServer(Path logFolder, int port) throws Exception {
        formatOnce(logFolder);
        // The quorum is read from the configuration at each start, so the controller's port may change every time.
        var settings = BrokerSettings.of(logFolder, port, anotherPort(port));
        var server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        try {
            server.startup();
            return server;
        } catch (Throwable e) {
            server.shutdown();
            throw e;
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
