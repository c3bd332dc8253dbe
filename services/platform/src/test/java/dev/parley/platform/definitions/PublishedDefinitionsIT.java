package dev.parley.platform.definitions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Instances that start one after the other with different definitions. */
class PublishedDefinitionsIT {
    private static final ToolSpec ECHO =
            new ToolSpec("echo", "says it again", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(10));
    private static final ToolSpec TIME =
            new ToolSpec("time", "says the time", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(10));

    private final KafkaClients clients = TestInfra.kafka().clients();
    private final KafkaDefinitions definitions = new KafkaDefinitions(clients);

    @BeforeEach
    void follow() {
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 8, (short) 1).createMissing();
        }
        definitions.start();
    }

    @AfterEach
    void stop() {
        definitions.close();
    }

    private void start(List<? extends Definition> ownDefinitions, Predicate<String> managed) {
        new PublishedDefinitions("test", ownDefinitions, managed, definitions, clients).start();
    }

    private Definitions visible() {
        return definitions.in(UUID.randomUUID(), UUID.randomUUID());
    }

    private void define(CatalogueScope scope, @Nullable Agent agent, String name) throws Exception {
        String key = scope.key("agent", name);
        try (var producer = clients.producer("test")) {
            producer.send(
                            agent == null
                                    ? RecordCodec.tombstone(Topics.DEFINITIONS, key)
                                    : RecordCodec.record(Topics.DEFINITIONS, key, agent, UUID.randomUUID(), null))
                    .get();
        }
    }

    @Test
    void projectDefinitionsOverrideHostAndInstallationDefinitions() throws Exception {
        // Given
        UUID host = UUID.randomUUID();
        UUID project = UUID.randomUUID();
        Agent everybodys = Agent.of("ann", "scripted", "small", "everybody's");
        Agent hosts = Agent.of("ann", "scripted", "small", "the host's");
        Agent projects = Agent.of("ann", "scripted", "small", "the project's");
        Agent bob = Agent.of("bob", "scripted", "small", "the project's own");
        define(CatalogueScope.INSTALLATION, everybodys, "ann");
        define(new CatalogueScope(host, null), hosts, "ann");
        define(new CatalogueScope(host, project), projects, "ann");
        define(new CatalogueScope(host, project), bob, "bob");

        // Then
        Awaitility.await().until(() -> definitions.in(host, project).agents().equals(List.of(projects, bob)));
        assertEquals(List.of(hosts), definitions.in(host, UUID.randomUUID()).agents());
        assertEquals(Optional.of(everybodys), visible().agent("ann"));

        // When
        define(new CatalogueScope(host, project), null, "ann");

        // Then
        Awaitility.await()
                .until(() -> definitions.in(host, project).agent("ann").equals(Optional.of(hosts)));

        // When a process starts that has no agents of its own
        start(List.of(), key -> key.startsWith("agent/"));

        // Then those of hosts and projects are not its concern
        Awaitility.await().until(() -> visible().agents().isEmpty());
        assertEquals(List.of(hosts, bob), definitions.in(host, project).agents());
    }

    @Test
    void withdrawsUnconfiguredAgentsAndKeepsToolsOfOthers() {
        // Given
        Agent ann = Agent.of("ann", "scripted", "small", "Be kind.");
        Agent bob = Agent.of("bob", "scripted", "small", "Be brief.");
        Agent louder = Agent.of("ann", "scripted", "large", "Be kind.");
        start(List.of(ECHO), tool -> false);
        start(List.of(ann, bob), key -> key.startsWith("agent/"));
        assertEquals(List.of(ann, bob), visible().agents());

        // When
        start(List.of(TIME), tool -> false);
        start(List.of(louder), key -> key.startsWith("agent/"));

        // Then
        Awaitility.await().until(() -> visible().agents().equals(List.of(louder)));
        assertEquals(Optional.of(ann), visible().agent("ann", ann.version()), "turns may still need it");
        assertEquals(List.of(ECHO, TIME), visible().tools());
    }
}
