package dev.parley.server;

import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.UnsignedRecords;
import dev.parley.platform.sealing.InstallationKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** A broker and a database that several processes share; either can be taken away for a while. */
final class Servers implements AutoCloseable {
    static final String KEY = "the-key-of-this-test";
    static final String MASTER_KEY = "bWFzdGVyLWtleS1vZi10aGVzZS10ZXN0cy0zMmJ5dGU=";
    static final String INSTALLATION_KEY = "aW5zdGFsbGF0aW9uLWtleS1vZi10ZXN0cy0zMmJ5dGU=";

    private final Path folder;
    private final Map<String, String> broker;
    private final DataFolder data;
    private EmbeddedKafka kafka;
    private EmbeddedPostgresServer postgres;

    Servers(Path folder) {
        this(folder, Map.of());
    }

    /** @param broker settings of the broker that go before its own */
    Servers(Path folder, Map<String, String> broker) {
        this.folder = folder;
        this.broker = Map.copyOf(broker);
        data = DataFolder.open(folder.resolve("infra"));
        startKafka();
        startPostgres();
    }

    void startKafka() {
        kafka = EmbeddedKafka.start(data, 0, broker);
    }

    void stopKafka() {
        kafka.close();
    }

    void startPostgres() {
        postgres = EmbeddedPostgresServer.start(data, 0);
    }

    void stopPostgres() {
        postgres.close();
    }

    EmbeddedPostgresServer postgres() {
        return postgres;
    }

    /** A connection of the database's superuser: no policy holds for it, and it may set what others may not. */
    Connection superuser() throws SQLException, IOException {
        String password = Files.readString(folder.resolve("infra").resolve("postgres.password"))
                .strip();
        return DriverManager.getConnection(postgres.database().owner().url(), "postgres", password);
    }

    EmbeddedKafka kafka() {
        return kafka;
    }

    /** A file with the settings of clients of the broker. */
    Path kafkaSettings() {
        return Records.settings(folder.resolve("kafka.properties"), kafka.clients());
    }

    /** Clients that sign what they write, as a process of this installation does. */
    KafkaClients signingClients() {
        return kafka.clients()
                .signing(new RecordSignatures(InstallationKey.parse(INSTALLATION_KEY), UnsignedRecords.NONE));
    }

    /** The environment of the process with this name. */
    Map<String, String> environment(String name, int partitions) {
        var environment = new HashMap<String, String>();
        environment.put("PARLEY_DATA", folder.resolve(name).toString());
        environment.put("PARLEY_BLOBS", folder.resolve("blobs").toString());
        environment.put("PARLEY_CONFIG", folder.resolve("parley.yml").toString());
        environment.put("PARLEY_PORT", "0");
        environment.put("PARLEY_ADMIN_KEY", KEY);
        environment.put("PARLEY_MASTER_KEY", MASTER_KEY);
        environment.put("PARLEY_INSTALLATION_KEY", INSTALLATION_KEY);
        environment.put("PARLEY_INSTANCE", name);
        environment.put("PARLEY_DRAIN", "0");
        environment.put("PARLEY_PARTITIONS", Integer.toString(partitions));
        environment.put("PARLEY_KAFKA", kafka.bootstrap());
        environment.put("PARLEY_KAFKA_SETTINGS", kafkaSettings().toString());
        environment.put("PARLEY_POSTGRES", postgres.database().owner().url());
        environment.put("PARLEY_POSTGRES_USER", postgres.database().owner().user());
        environment.put("PARLEY_POSTGRES_PASSWORD", postgres.database().owner().password());
        environment.put("PARLEY_POSTGRES_APP_USER", postgres.database().app().user());
        environment.put(
                "PARLEY_POSTGRES_APP_PASSWORD", postgres.database().app().password());
        return environment;
    }

    /** Starts an instance in this process. */
    Instance start(String name) {
        return start(name, 2);
    }

    Instance start(String name, int partitions) {
        return Instances.start(environment(name, partitions));
    }

    /**
     * Takes away what the process with this name, which has stopped, keeps of its topics: it makes that anew when it
     * starts.
     */
    void forgetStores(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(name).resolve("streams"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() {
        postgres.close();
        kafka.close();
        data.close();
    }
}
