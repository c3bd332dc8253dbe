package dev.parley.tools.checkout;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.definitions.DefinitionsPublisher;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which projects are offered checkout tools as folders and settings change. */
@Tag("I11")
class OfferedCheckoutsIT {
    private static final KafkaClients CLIENTS = TestInfra.kafka().clients();

    @TempDir
    Path folder;

    private static AccessFollower directory;
    private static KafkaDefinitions definitions;

    @BeforeAll
    static void start() {
        try (var admin = CLIENTS.admin("test")) {
            new TopicAdmin(admin, 2, (short) 1).createMissing();
        }
        directory = new AccessFollower(CLIENTS);
        definitions = new KafkaDefinitions(CLIENTS);
        directory.start();
        definitions.start();
    }

    @AfterAll
    static void stop() {
        definitions.close();
        directory.close();
    }

    private static Project publish(Project project) throws Exception {
        try (var producer = CLIENTS.producer("test")) {
            producer.send(RecordCodec.record(Topics.ACCESS, project.key(), project, UUID.randomUUID(), null))
                    .get(60, TimeUnit.SECONDS);
        }
        await().until(() -> directory.shows(project.key(), project.version()));
        return project;
    }

    private static Project project(String checkout) {
        Project template = CheckoutFixture.project(checkout);
        UUID id = UUID.randomUUID();
        return new Project(
                template.host(), id, 1, id.toString(), "", false, false, null, null, null, List.of(), false, checkout);
    }

    private static OfferedCheckouts process(ToolsConfig config, boolean shell) {
        var checkouts = new Checkouts(config, CheckoutFixture.powers(config.checkouts(), shell), directory);
        var tools = CheckoutTools.all(checkouts);
        var offered = new OfferedCheckouts(checkouts, tools, directory, definitions, new DefinitionsPublisher(CLIENTS));
        offered.start();
        return offered;
    }

    private static Set<String> offeredIn(Project project) {
        return definitions.in(project.host(), project.project()).tools().stream()
                .map(ToolSpec::name)
                .filter(ToolSpec.OF_CHECKOUT::contains)
                .collect(Collectors.toSet());
    }

    @Test
    void offersCheckoutToolsWhileFolderAndSettingsExist() throws Exception {
        // Given
        Path allowed = Files.createDirectory(folder.toRealPath().resolve("allowed"));
        Path root = allowed.resolve("repo");
        Project inside = publish(project(root.toString()));
        Project outside = publish(project(folder.toRealPath().toString()));
        Set<String> files = new HashSet<>(ToolSpec.OF_CHECKOUT);
        files.remove("shell");
        ToolsConfig config = CheckoutFixture.config(List.of(allowed));

        // When its folder is created and deleted
        try (var _ = process(config, true)) {
            Files.createDirectory(root);
            await().until(() -> offeredIn(inside).equals(ToolSpec.OF_CHECKOUT));
            Files.delete(root);
            await().until(() -> offeredIn(inside).isEmpty());
            Files.createDirectory(root);
            await().until(() -> offeredIn(inside).equals(ToolSpec.OF_CHECKOUT));
        }

        // Then the settings of the next process apply
        try (var _ = process(config, false)) {
            await().until(() -> offeredIn(inside).equals(files));
        }
        try (var _ = process(ToolsConfig.NONE, false)) {
            await().until(() -> offeredIn(inside).isEmpty());
        }
        assertEquals(Set.of(), offeredIn(outside));
    }
}
