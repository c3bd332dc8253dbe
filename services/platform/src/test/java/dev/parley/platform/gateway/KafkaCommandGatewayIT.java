package dev.parley.platform.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.testkit.FakeSessions;
import dev.parley.platform.testkit.TestInfra;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KafkaCommandGatewayIT {
    private static KafkaClients clients;
    private static FakeSessions sessions;

    @BeforeAll
    static void start() {
        clients = TestInfra.kafka().clients();
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 8, (short) 1).createMissing();
        }
        sessions = new FakeSessions(clients);
    }

    @AfterAll
    static void stop() throws Exception {
        sessions.close();
    }

    private static CommandGateway gateway(int maxOpen) {
        var gateway = new CommandGateway(clients, LocalDispatch.closed(), maxOpen);
        gateway.start();
        return gateway;
    }

    private static CommandGateway.Ticket submit(CommandGateway gateway, String ref, String text) {
        RecordKey key = RecordKey.of("gateway:" + ref);
        var meta = new CommandMeta(
                key.turnId("api", ref), UUID.randomUUID(), Instant.now(), null, gateway.outcomePartition(), null);
        return gateway.send(
                key,
                new SubmitTurn(
                        meta,
                        Origin.API,
                        ref,
                        MailboxMode.FOLLOWUP,
                        null,
                        null,
                        List.of(Block.text(text)),
                        "api",
                        null,
                        null,
                        null));
    }

    @Test
    @Tag("P54")
    void repeatedCommandGetsTheSameReply() throws Exception {
        try (var gateway = gateway(10)) {
            try (var ticket = submit(gateway, "once", "hello")) {
                ticket.sent().get(60, SECONDS);
                assertInstanceOf(Outcome.Accepted.class, ticket.outcome().get(60, SECONDS));
                assertEquals("hello", ticket.finished().get(60, SECONDS).reply());
            }
            try (var repeated = submit(gateway, "once", "hello")) {
                assertEquals("hello", repeated.finished().get(60, SECONDS).reply());
            }
            assertEquals(0, gateway.open());
        }
    }

    @Test
    void rejectedCommandGetsItsOutcome() throws Exception {
        try (var gateway = gateway(10);
                var ticket = submit(gateway, "refused", "refuse queue_full")) {
            var refused =
                    assertInstanceOf(Outcome.Refused.class, ticket.outcome().get(60, SECONDS));
            assertEquals("queue_full", refused.code());
            assertFalse(ticket.finished().isDone());
        }
    }

    @Test
    @Tag("O11")
    void limitsOpenTickets() throws Exception {
        try (var gateway = gateway(1)) {
            var first = submit(gateway, "first", "silent");
            first.sent().get(60, SECONDS);
            var failure = assertThrows(
                    ExecutionException.class,
                    () -> submit(gateway, "second", "x").sent().get(60, SECONDS));
            assertInstanceOf(RejectedExecutionException.class, failure.getCause());
            first.close();
            first.close();
            submit(gateway, "third", "silent").sent().get(60, SECONDS);
        }
    }

    @Test
    void doesNotSendAnOversizedCommand() {
        // Given
        var noise = new Random(1);
        var text = new StringBuilder();
        for (int i = 0; i < 12_000_000; i++) {
            text.append((char) ('!' + noise.nextInt(90)));
        }

        // When
        try (var gateway = gateway(10);
                var ticket = submit(gateway, "large", text.toString())) {
            // Then
            var failure =
                    assertThrows(ExecutionException.class, () -> ticket.sent().get(60, SECONDS));
            assertInstanceOf(RecordTooLargeException.class, failure.getCause());
        }
    }

    @Test
    @Tag("O12")
    void joiningInstanceDoesNotLoseOutcomesOfAnother() throws Exception {
        try (var first = gateway(100)) {
            var hanging = submit(first, "hanging", "hang");
            assertInstanceOf(Outcome.Accepted.class, hanging.outcome().get(60, SECONDS));
            try (var second = gateway(100)) {
                await().until(() -> second.outcomePartition() != null && first.outcomePartition() != null);
                await().untilAsserted(() -> assertNotEquals(first.outcomePartition(), second.outcomePartition()));
                assertEquals(
                        "b",
                        submit(second, "b", "b").finished().get(60, SECONDS).reply());
                var cancel = new dev.parley.domain.protocol.TurnCommand.CancelTurn(
                        new CommandMeta(
                                UUID.randomUUID(),
                                UUID.randomUUID(),
                                Instant.now(),
                                null,
                                second.outcomePartition(),
                                null),
                        null,
                        "enough");
                second.send(RecordKey.of("gateway:hanging"), cancel);
                assertTrue(hanging.finished().get(60, SECONDS).state().isFinal(), "heard where it was asked for");
            }
            await().until(() -> first.outcomePartition() != null);
            assertEquals(
                    "c", submit(first, "c", "c").finished().get(60, SECONDS).reply());
        }
    }

    @Test
    void sendsNothingBeforeItsStart() {
        try (var gateway = new CommandGateway(clients)) {
            assertNull(gateway.outcomePartition());
            assertTrue(submit(gateway, "early", "x").sent().isCompletedExceptionally());
            assertTrue(gateway.problem().isPresent());
        }
    }
}
