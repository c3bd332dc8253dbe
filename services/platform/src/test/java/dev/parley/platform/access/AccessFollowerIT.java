package dev.parley.platform.access;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a process knows of people's rights, with a real broker. */
class AccessFollowerIT {
    private static final KafkaClients CLIENTS = TestInfra.kafka().clients();
    private static final UUID HOST = UUID.randomUUID();
    private static final UUID ANN = UUID.randomUUID();
    private static final UUID LAST = UUID.randomUUID();

    @BeforeAll
    static void createTopics() {
        try (Admin admin = CLIENTS.admin("test")) {
            new TopicAdmin(admin, 1, (short) 1).createMissing();
        }
    }

    private static Account account(UUID user, long version, boolean admin) {
        return new Account(HOST, user, version, "ann", admin, true, null, null, null);
    }

    private static ProducerRecord<byte[], byte[]> written(AccessRecord record) {
        return RecordCodec.record(Topics.ACCESS, record.key(), record, UUID.randomUUID(), null);
    }

    /** A record whose end was lost. */
    private static ProducerRecord<byte[], byte[]> cut(AccessRecord record) {
        var whole = written(record);
        byte[] part = Arrays.copyOf(whole.value(), whole.value().length / 2);
        return new ProducerRecord<>(
                whole.topic(), whole.partition(), whole.timestamp(), whole.key(), part, whole.headers());
    }

    private static void send(ProducerRecord<byte[], byte[]> record) throws Exception {
        try (var producer = CLIENTS.producer("test")) {
            producer.send(record).get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    @Tag("B266")
    void rightsWhoseNewestRecordIsUnreadableAreWithdrawnUntilItIsReadable() throws Exception {
        var budget = new Setting(HOST, "budget", 1, "{\"turnsPerMinute\":1}");
        try (var directory = new AccessFollower(CLIENTS)) {
            // Given an administrator, and a bound
            send(written(account(ANN, 1, true)));
            send(written(budget));
            directory.start();
            assertTrue(directory.account(HOST, ANN).orElseThrow().admin());

            // When records follow that nobody can read
            send(cut(account(ANN, 2, false)));
            send(cut(new Setting(HOST, "budget", 2, "{\"turnsPerMinute\":2}")));
            send(written(account(LAST, 1, false)));
            await().until(() -> directory.account(HOST, LAST).isPresent());

            // Then she has no rights, and the bound stays
            assertEquals(Optional.empty(), directory.account(HOST, ANN));
            assertEquals(Optional.of(budget), directory.setting(HOST, "budget"));

            // When a readable one follows
            send(written(account(ANN, 3, false)));

            // Then she has those
            await().until(() -> directory.account(HOST, ANN).isPresent());
            assertEquals(false, directory.account(HOST, ANN).orElseThrow().admin());
        }
    }
}
