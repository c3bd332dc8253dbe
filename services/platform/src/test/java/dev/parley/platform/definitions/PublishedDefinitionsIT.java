package dev.parley.platform.definitions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.Definition;
import dev.parley.domain.turn.ToolEffect;
import dev.parley.domain.turn.ToolSpec;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.testkit.TestInfra;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes that come and go with what they define. */
class PublishedDefinitionsIT {
    private static final ToolSpec ECHO =
            new ToolSpec("echo", "says it again", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(10));
    private static final ToolSpec TIME =
            new ToolSpec("time", "says the time", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(10));

    private final KafkaClients clients = KafkaClients.of(TestInfra.kafka().bootstrap());
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

    private void start(List<? extends Definition> own, Predicate<Definition> decided) {
        new PublishedDefinitions("test", own, decided, definitions, clients).start();
    }

    @Test
    void agentsThatAreNotConfiguredAnyMoreAreTakenBackAndToolsOfOthersStay() {
        // Given
        Agent ann = Agent.of("ann", "scripted", "small", "Be kind.");
        Agent bob = Agent.of("bob", "scripted", "small", "Be brief.");
        Agent louder = Agent.of("ann", "scripted", "large", "Be kind.");
        start(List.of(ECHO), tool -> false);
        start(List.of(ann, bob), Agent.class::isInstance);
        assertEquals(List.of(ann, bob), definitions.agents());

        // When
        start(List.of(TIME), tool -> false);
        start(List.of(louder), Agent.class::isInstance);

        // Then
        Awaitility.await().until(() -> definitions.agents().equals(List.of(louder)));
        assertEquals(Optional.of(ann), definitions.agent("ann", ann.version()), "turns may still need it");
        assertEquals(List.of(ECHO, TIME), definitions.tools());
    }
}
