package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Databases;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.embedded.KafkaLogin;
import dev.parley.platform.embedded.LocalSignatures;
import dev.parley.platform.embedded.StartupException;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.UnsignedRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The broker and database for a command: external ones, those of the running process of the data folder, or embedded
 * ones started for the command.
 */
final class Infrastructure implements AutoCloseable {
    private static final String OWNER_PASSWORD = "postgres-owner.password";

    private final KafkaClients clients;
    private final DatabaseLogin owner;
    private final String appRole;
    private final Deque<AutoCloseable> started;

    private Infrastructure(KafkaClients clients, DatabaseLogin owner, String appRole, Deque<AutoCloseable> started) {
        this.clients = clients;
        this.owner = owner;
        this.appRole = appRole;
        this.started = started;
    }

    /** The running process of a data folder, from its runtime file. */
    record Running(String url, long pid, String kafka, String postgres) {

        /** Reads the file, if its process is running. */
        static Optional<Running> on(Path data) {
            try {
                JsonNode file = JsonMappers.stored().readTree(Files.readString(data.resolve(Instance.RUNTIME_FILE)));
                var running = new Running(
                        file.path("url").asText(),
                        file.path("pid").asLong(),
                        file.path("kafka").asText(),
                        file.path("postgres").asText());
                boolean alive = ProcessHandle.of(running.pid())
                        .map(ProcessHandle::isAlive)
                        .orElse(false);
                return alive ? Optional.of(running) : Optional.empty();
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        String json() {
            return "{\"url\":\"%s\",\"pid\":%d,\"kafka\":\"%s\",\"postgres\":\"%s\"}%n"
                    .formatted(url, pid, kafka, postgres);
        }
    }

    /**
     * Connects to broker and database, or starts them.
     *
     * @throws StartupException when neither is possible
     */
    static Infrastructure of(ParleyConfig config) {
        ParleyConfig.Kafka kafka = config.kafka();
        ParleyConfig.Postgres postgres = config.postgres();
        config.requireInstallationKey();
        if (kafka != null && postgres != null) {
            return new Infrastructure(
                    KafkaClients.of(kafka.bootstrap(), kafka.settings())
                            .signing(new RecordSignatures(
                                    Objects.requireNonNull(config.installationKey()),
                                    config.acceptsUnsigned() ? UnsignedRecords.ALL : UnsignedRecords.NONE)),
                    new DatabaseLogin(postgres.url(), postgres.ownerUser(), postgres.ownerPassword()),
                    postgres.appUser(),
                    new ArrayDeque<>());
        }
        Optional<Running> running = Running.on(config.data());
        return running.isPresent() ? ofRunning(config, running.get()) : startEmbedded(config);
    }

    private static Infrastructure ofRunning(ParleyConfig config, Running running) {
        Path data = config.data();
        try {
            var clients = KafkaClients.of(running.kafka(), KafkaLogin.read(data).clientSettings());
            var signing = LocalSignatures.ofRunning(data, config.installationKey())
                    .map(clients::signing)
                    .orElse(clients);
            String password = Files.readString(data.resolve(OWNER_PASSWORD)).strip();
            var owner = new DatabaseLogin(running.postgres(), EmbeddedPostgresServer.OWNER_ROLE, password);
            return new Infrastructure(signing, owner, EmbeddedPostgresServer.APP_ROLE, new ArrayDeque<>());
        } catch (IOException e) {
            throw new StartupException("The database's password cannot be read in " + data + ": " + e.getMessage(), e);
        }
    }

    private static Infrastructure startEmbedded(ParleyConfig config) {
        var started = new ArrayDeque<AutoCloseable>();
        try {
            DataFolder folder = DataFolder.open(config.data());
            started.push(folder);
            EmbeddedKafka kafka = EmbeddedKafka.start(folder, 0);
            started.push(kafka);
            EmbeddedPostgresServer postgres = EmbeddedPostgresServer.start(folder, 0);
            started.push(postgres);
            return new Infrastructure(
                    kafka.clients().signing(LocalSignatures.of(folder, config.installationKey(), kafka.clients())),
                    postgres.database().owner(),
                    EmbeddedPostgresServer.APP_ROLE,
                    started);
        } catch (RuntimeException e) {
            closeAll(started);
            throw e;
        }
    }

    KafkaClients clients() {
        return clients;
    }

    /** The database, as its owner. */
    DataSource owner() {
        return Databases.single(owner);
    }

    /** The login of the database's owner. */
    DatabaseLogin ownerLogin() {
        return owner;
    }

    /** The database role of the services, without rights to change the schema. */
    String appRole() {
        return appRole;
    }

    @Override
    public void close() {
        closeAll(started);
    }

    private static void closeAll(Deque<AutoCloseable> parts) {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                System.err.println("A part did not stop cleanly: " + e.getMessage());
            }
        }
    }
}
