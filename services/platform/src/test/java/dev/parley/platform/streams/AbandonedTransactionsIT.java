package dev.parley.platform.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.testkit.TestInfra;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Transactions that an instance left open, with a real broker. */
class AbandonedTransactionsIT {
    private static final int MINUTE_MILLIS = 60_000;

    private final String application = "app-" + UUID.randomUUID();
    private final KafkaClients clients = TestInfra.kafka().clients();
    private final Admin admin = clients.admin("test");

    @BeforeEach
    void open() throws Exception {
        admin.createTopics(List.of(new NewTopic(application, 1, (short) 1)))
                .all()
                .get();
    }

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    @Tag("I68")
    void abortsOwnAbandonedTransactions() {
        var transactions = new AbandonedTransactions(application, "one");
        try (var own = beginTransaction("one-2");
                var other = beginTransaction("two-1")) {
            transactions.endOwn(admin, 2);

            Awaitility.await().until(() -> ongoing().equals(Set.of(application + "-two-1")));
            assertThrows(KafkaException.class, own::commitTransaction);
            other.commitTransaction();
        }
    }

    @Test
    @Tag("I68")
    void groupMemberAbortsTransactionsOfFormerMembers() throws Exception {
        // Given
        var transactions = new AbandonedTransactions(application, "one");
        try (var member = member("one-1");
                var own = beginTransaction("one-1");
                var abandoned = beginTransaction("two-1");
                var unknown = beginTransaction(UUID.randomUUID() + "-1")) {
            Awaitility.await().until(() -> {
                member.poll(Duration.ofMillis(100));
                return !member.assignment().isEmpty();
            });

            // When
            transactions.endOthers(admin);

            // Then
            Awaitility.await().until(() -> !ongoing().contains(application + "-two-1"));
            assertEquals(2, ongoing().size());
            assertThrows(KafkaException.class, abandoned::commitTransaction);
            own.commitTransaction();
            unknown.commitTransaction();
        }
    }

    @Test
    void isAbandonedExcludesMembersAndGeneratedNames() {
        var members = Set.of("one-1");
        assertTrue(AbandonedTransactions.isAbandoned("two-1", members));
        assertFalse(AbandonedTransactions.isAbandoned("one-1", members));
        assertFalse(AbandonedTransactions.isAbandoned(UUID.randomUUID() + "-1", members));
    }

    private Producer<byte[], byte[]> beginTransaction(String member) {
        var producer = clients.producer(
                member,
                Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        application + "-" + member,
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        MINUTE_MILLIS));
        producer.initTransactions();
        producer.beginTransaction();
        var _ = producer.send(new ProducerRecord<>(application, new byte[] {1}));
        producer.flush();
        return producer;
    }

    private Consumer<byte[], byte[]> member(String name) {
        var member = clients.forProcess(name).consumer(name, application, Map.of());
        member.subscribe(List.of(application));
        return member;
    }

    private Set<String> ongoing() throws Exception {
        var options = new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING));
        return admin.listTransactions(options).all().get().stream()
                .map(TransactionListing::transactionalId)
                .filter(id -> id.startsWith(application))
                .collect(Collectors.toSet());
    }
}
