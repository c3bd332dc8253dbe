package dev.parley.platform.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords of the embedded servers, and the update of a data folder whose records are not signed. */
class LocalSignaturesIT {
    private static final String TOPIC = Topics.RULE_REQUESTS.name();

    @TempDir
    Path folder;

    @Test
    @Tag("B65")
    void believesWhatWasWrittenBeforeTheFirstStartThatSigns() throws Exception {
        // Given
        KafkaClients clients = TestInfra.kafka().clients();
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 1, (short) 1).createMissing(List.of(Topics.RULE_REQUESTS));
        }
        String mark = folder.getFileName().toString();
        send(clients, mark + "before");
        try (var data = DataFolder.open(folder)) {
            // When
            RecordSignatures first = LocalSignatures.of(data, null, clients);
            send(clients, mark + "forged");
            send(clients.signing(first), mark + "signed");
            RecordSignatures afterwards = LocalSignatures.of(data, null, clients);

            // Then
            for (RecordSignatures signatures : List.of(
                    first, afterwards, LocalSignatures.ofRunning(folder, null).orElseThrow())) {
                assertEquals(List.of("before", "signed"), read(clients.signing(signatures), mark));
            }
            for (String file : List.of("installation.key", "unsigned-records")) {
                assertEquals(
                        "rw-------",
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))));
            }
        }
    }

    @Test
    @Tag("B66")
    void brokerAsksForThePassword() {
        var login = KafkaLogin.read(TestInfra.folder());
        String bootstrap = TestInfra.kafka().bootstrap();
        var wrong = new KafkaLogin(login.user(), login.password() + "x").clientSettings();
        var other = new KafkaLogin("admin", login.password()).clientSettings();

        for (Map<String, String> settings : List.of(wrong, other)) {
            var refused = assertThrows(ExecutionException.class, () -> list(KafkaClients.of(bootstrap, settings)));
            assertTrue(refused.getCause() instanceof SaslAuthenticationException, refused.toString());
        }
        assertThrows(ExecutionException.class, () -> list(KafkaClients.of(bootstrap)));
        assertTrue(!login.toString().contains(login.password()));
    }

    @Test
    @Tag("B66")
    void databaseAsksForThePassword() {
        var database = TestInfra.postgres().database();

        for (DatabaseLogin login : List.of(database.owner(), database.app(), TestInfra.superuser(database))) {
            for (String password : List.of("", "postgres", login.user(), login.password() + "x")) {
                var refused = assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection(login.url(), login.user(), password)
                                .close());
                assertTrue(List.of("28P01", "08004").contains(refused.getSQLState()), refused.toString());
            }
        }
    }

    private static void list(KafkaClients clients) throws Exception {
        var settings = new HashMap<>(clients.common("test"));
        settings.put("request.timeout.ms", 1_000);
        settings.put("default.api.timeout.ms", 1_500);
        try (var admin = Admin.create(settings)) {
            admin.listTopics().names().get(20, TimeUnit.SECONDS);
        }
    }

    private static void send(KafkaClients clients, String value) throws Exception {
        try (var producer = clients.producer("test")) {
            producer.send(new ProducerRecord<>(TOPIC, null, value.getBytes(StandardCharsets.UTF_8)))
                    .get(20, TimeUnit.SECONDS);
        }
    }

    private static List<String> read(KafkaClients clients, String mark) {
        try (var consumer = clients.consumer("test", null, Map.of())) {
            var partitions = KafkaClients.partitions(consumer, Topics.RULE_REQUESTS);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            var values = new ArrayList<String>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
            }
            return values.stream()
                    .filter(value -> value.startsWith(mark))
                    .map(value -> value.substring(mark.length()))
                    .sorted() // another test may have made the topic, with several partitions
                    .toList();
        }
    }
}
