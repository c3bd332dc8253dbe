package dev.parley.server;

import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.kafka.KafkaClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** The broker and the database that a process of its own embeds, in the process of the test. */
final class EmbeddedServers implements TestServers {
    private final DataFolder data;
    private final Map<String, String> broker;
    private EmbeddedKafka kafka;
    private EmbeddedPostgresServer postgres;

    EmbeddedServers(Path folder, Map<String, String> broker) {
        this.data = DataFolder.open(folder);
        this.broker = Map.copyOf(broker);
        startKafka();
        startPostgres();
    }

    @Override
    public KafkaClients clients() {
        return kafka.clients();
    }

    @Override
    public PostgresDatabase database() {
        return postgres.database();
    }

    @Override
    public DatabaseLogin superuser() {
        try {
            return EmbeddedPostgresServer.superuser(
                    data.path(), database().owner().url());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stopKafka() {
        kafka.close();
    }

    @Override
    public void startKafka() {
        kafka = EmbeddedKafka.start(data, 0, broker);
    }

    @Override
    public void stopPostgres() {
        postgres.close();
    }

    @Override
    public void startPostgres() {
        postgres = EmbeddedPostgresServer.start(data, 0);
    }

    @Override
    public void close() {
        postgres.close();
        kafka.close();
        data.close();
    }
}
