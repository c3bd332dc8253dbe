package dev.parley.server;

import dev.parley.platform.embedded.PostgresDatabase;
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
    private final TestServers servers;

    Servers(Path folder) {
        this(folder, Map.of());
    }

    /** @param broker settings of the broker that go before its own */
    Servers(Path folder, Map<String, String> broker) {
        this.folder = folder;
        this.servers = TestServers.start(folder.resolve("infra"), broker);
    }

    void startKafka() {
        servers.startKafka();
    }

    void stopKafka() {
        servers.stopKafka();
    }

    void startPostgres() {
        servers.startPostgres();
    }

    void stopPostgres() {
        servers.stopPostgres();
    }

    PostgresDatabase database() {
        return servers.database();
    }

    /** A connection of the database's superuser: no policy holds for it, and it may set what others may not. */
    Connection superuser() throws SQLException {
        var login = servers.superuser();
        return DriverManager.getConnection(database().owner().url(), login.user(), login.password());
    }

    /** Clients of the broker that sign nothing. */
    KafkaClients clients() {
        return servers.clients();
    }

    /** A file with the settings of clients of the broker. */
    Path kafkaSettings() {
        return Records.settings(folder.resolve("kafka.properties"), clients());
    }

    /** Clients that sign what they write, as a process of this installation does. */
    KafkaClients signingClients() {
        return clients().signing(signatures());
    }

    /** Signs and verifies as a process of this installation does. */
    static RecordSignatures signatures() {
        return new RecordSignatures(InstallationKey.parse(INSTALLATION_KEY), UnsignedRecords.NONE);
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
        environment.putAll(connections(clients(), database(), kafkaSettings()));
        return environment;
    }

    /** The settings with which a process finds its broker and its database. */
    static Map<String, String> connections(KafkaClients clients, PostgresDatabase database, Path kafkaSettings) {
        return Map.of(
                "PARLEY_KAFKA", clients.bootstrap(),
                "PARLEY_KAFKA_SETTINGS", kafkaSettings.toString(),
                "PARLEY_POSTGRES", database.owner().url(),
                "PARLEY_POSTGRES_USER", database.owner().user(),
                "PARLEY_POSTGRES_PASSWORD", database.owner().password(),
                "PARLEY_POSTGRES_APP_USER", database.app().user(),
                "PARLEY_POSTGRES_APP_PASSWORD", database.app().password());
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
        servers.close();
    }
}
