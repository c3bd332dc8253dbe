package dev.parley.workflows.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.ProcessOverdue;
import dev.parley.domain.workflow.WorkflowMeta;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.TestInfra;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;

final class ProcessHubIT {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void subscriberThatDisconnectsAtOnceSilencesNoOther() throws Exception {
        // Given
        var clients = TestInfra.kafka().clients();
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 2, (short) 1).createMissing();
        }
        var hub = new ProcessHub(clients);
        UUID process = UUID.randomUUID();
        var meta = new WorkflowMeta(new ProcessRef(UUID.randomUUID(), "shop", process), 3, NOON, null);
        WorkflowEvent event = new ProcessOverdue(meta, NOON);

        // When
        Thread.currentThread().interrupt(); // as its stream does
        assertThrows(InterruptException.class, () -> hub.watch(process));
        Thread.interrupted();

        // Then
        try (var watch = hub.watch(process);
                var producer = clients.producer("test")) {
            producer.send(RecordCodec.record(Topics.WORKFLOW_EVENTS, process + "#3", event, UUID.randomUUID(), null))
                    .get();
            assertEquals(Optional.of(event), watch.next(Duration.ofSeconds(30)));
        } finally {
            hub.close();
        }
    }
}
