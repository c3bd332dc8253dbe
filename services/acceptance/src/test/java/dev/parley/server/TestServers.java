package dev.parley.server;

import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.kafka.KafkaClients;
import java.nio.file.Path;
import java.util.Map;

/**
 * A broker and a database for tests. They are embedded in this process; {@code -Dparley.containers=true} takes those in
 * containers that operators have, which needs a Docker engine.
 */
sealed interface TestServers extends AutoCloseable permits EmbeddedServers, ContainerServers {
    /** Whether process tests use containers. */
    boolean IN_CONTAINERS = Boolean.getBoolean("parley.containers");

    /**
     * Starts both.
     *
     * @param folder of the embedded ones
     * @param broker settings of the broker that go before its own
     */
    static TestServers start(Path folder, Map<String, String> broker) {
        return IN_CONTAINERS ? ContainerServers.begin(broker) : new EmbeddedServers(folder, broker);
    }

    /** Clients of the broker that sign nothing. */
    KafkaClients clients();

    PostgresDatabase database();

    /** The database's superuser: no policy holds for it, and it may set what others may not. */
    DatabaseLogin superuser();

    /** Makes the broker unreachable. */
    void stopKafka();

    void startKafka();

    /** Makes the database unreachable. */
    void stopPostgres();

    void startPostgres();

    @Override
    void close();
}
