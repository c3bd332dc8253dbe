package dev.parley.platform.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.OutcomeWaiters;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.testkit.TestInfra;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outcomes that wait for a commit, and a commit that the broker rejects. */
class CommitNotifyingProducerIT {
    private final String topic = "hooked-" + UUID.randomUUID();
    private final KafkaClients clients = TestInfra.kafka().clients();
    private final List<Outcome> told = new ArrayList<>();

    @Test
    @Tag("P14")
    void deliversNoOutcomesOfARejectedTransaction() throws Exception {
        // Given
        try (var admin = clients.admin("test")) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        LocalDispatch localDispatch = LocalDispatch.open(null);
        localDispatch.register(everybody());
        TaskDispatch dispatch = localDispatch.forTask(new MockProcessorContext<>(), _ -> {});
        try (var owner = producer();
                var next = producer()) {
            owner.initTransactions();
            begin(owner);
            dispatch.notifyWaiter(0, outcome("of the owner before"));

            // When
            next.initTransactions(); // the partition has another owner from now on

            // Then
            assertThrows(KafkaException.class, owner::commitTransaction);
            assertEquals(List.of(), told);
            begin(next);
            dispatch.notifyWaiter(0, outcome("of the owner now"));
            next.commitTransaction();
            assertEquals(List.of(outcome("of the owner now")), told);
        }
    }

    private CommitNotifyingProducer producer() {
        var settings = new HashMap<String, Object>(clients.common("test"));
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic);
        return new CommitNotifyingProducer(settings, null);
    }

    private void begin(CommitNotifyingProducer producer) throws Exception {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, new byte[] {1})).get();
    }

    private static Outcome outcome(String command) {
        return new Outcome.Refused(RecordKey.of("cli:ann"), Ids.of(command), "refused", "no");
    }

    private OutcomeWaiters everybody() {
        return new OutcomeWaiters() {
            @Override
            public boolean isAwaited(int partition, Outcome outcome) {
                return true;
            }

            @Override
            public void deliver(Outcome outcome) {
                told.add(outcome);
            }
        };
    }
}
