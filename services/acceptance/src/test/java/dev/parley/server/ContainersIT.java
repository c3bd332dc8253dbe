package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A server process with an external broker and database, if Docker is available. */
@Testcontainers(disabledWithoutDocker = true)
class ContainersIT {
    @Container
    static final KafkaContainer KAFKA = new KafkaContainer("apache/kafka:4.3.1");

    @Container
    static final PostgreSQLContainer POSTGRES = new PostgreSQLContainer("postgres:17");

    @TempDir
    Path folder;

    @Test
    void aTurnGoesThroughAnExternalBrokerAndDatabase() {
        var environment = Instances.environment(folder.resolve("data"));
        environment.put("PARLEY_MASTER_KEY", Servers.MASTER_KEY);
        environment.put("PARLEY_INSTALLATION_KEY", Servers.INSTALLATION_KEY);
        environment.put("PARLEY_KAFKA", KAFKA.getBootstrapServers());
        environment.put("PARLEY_POSTGRES", POSTGRES.getJdbcUrl());
        environment.put("PARLEY_POSTGRES_USER", POSTGRES.getUsername());
        environment.put("PARLEY_POSTGRES_PASSWORD", POSTGRES.getPassword());
        try (Instance instance = Instances.start(environment)) {
            var api = Api.of(instance);

            // When
            var turn = api.say("containers:1", "!call echo {\"text\":\"x\"}\n!then\n!say done");

            // Then
            assertEquals("done", turn.get("reply").asText());
            Awaitility.await()
                    .until(() -> api.list("/v1/sessions/containers:1/turns").size() == 1);
        }
    }
}
