package dev.parley.server;

import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.kafka.KafkaClients;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * Kafka's own image, and Postgres with pgvector. A stopped one is paused, since a container that starts again has other
 * ports: its clients wait instead of being refused.
 */
final class ContainerServers implements TestServers {
    private static final String KAFKA_IMAGE = "apache/kafka:4.3.1";
    private static final String POSTGRES_IMAGE = "pgvector/pgvector:0.8.0-pg17";
    private static final String SUPERUSER = "postgres";
    private static final String PASSWORD = "of-this-test";
    /** Those of instances that start and stop on one data folder; the engine removes them at the end of this process. */
    private static final Map<Path, ContainerServers> OF_FOLDERS = new ConcurrentHashMap<>();

    private final KafkaContainer kafka = new KafkaContainer(KAFKA_IMAGE);
    private final PostgreSQLContainer postgres = new PostgreSQLContainer(POSTGRES_IMAGE)
            .withDatabaseName("postgres")
            .withUsername(SUPERUSER)
            .withPassword(PASSWORD)
            .withCommand("postgres", "-c", "max_connections=500", "-c", "fsync=off");
    private final PostgresDatabase database;

    private ContainerServers(Map<String, String> broker) {
        var settings = new HashMap<>(Map.of("auto.create.topics.enable", "false"));
        settings.putAll(broker);
        settings.forEach((name, value) ->
                kafka.withEnv("KAFKA_" + name.toUpperCase(Locale.ROOT).replace('.', '_'), value));
        try {
            kafka.start();
            postgres.start();
            database = PostgresDatabase.ensure(superuser(), "parley", "of-the-owner", "of-the-app");
        } catch (SQLException e) {
            close();
            throw new IllegalStateException("the container of Postgres does not answer", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    static ContainerServers begin(Map<String, String> broker) {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException("-Dparley.containers=true needs a Docker engine, and none answers here."
                    + " Start one, or leave the property out: then broker and database are embedded");
        }
        return new ContainerServers(broker);
    }

    /** The servers of the instances that run on this data folder. */
    static ContainerServers of(Path data) {
        return OF_FOLDERS.computeIfAbsent(data.toAbsolutePath(), _ -> begin(Map.of()));
    }

    @Override
    public KafkaClients clients() {
        return KafkaClients.of(kafka.getBootstrapServers());
    }

    @Override
    public PostgresDatabase database() {
        return database;
    }

    @Override
    public DatabaseLogin superuser() {
        return new DatabaseLogin(postgres.getJdbcUrl(), SUPERUSER, PASSWORD);
    }

    @Override
    public void stopKafka() {
        pause(kafka);
    }

    @Override
    public void startKafka() {
        resume(kafka);
    }

    @Override
    public void stopPostgres() {
        pause(postgres);
    }

    @Override
    public void startPostgres() {
        resume(postgres);
    }

    private static void pause(GenericContainer<?> container) {
        container
                .getDockerClient()
                .pauseContainerCmd(container.getContainerId())
                .exec();
    }

    private static void resume(GenericContainer<?> container) {
        container
                .getDockerClient()
                .unpauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void close() {
        postgres.stop();
        kafka.stop();
    }
}
