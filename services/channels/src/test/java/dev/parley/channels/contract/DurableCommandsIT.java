package dev.parley.channels.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Intake.UnavailableException.Reason;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.testkit.FakeSessions;
import dev.parley.platform.testkit.TestInfra;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Outcomes and errors of the commands that channels send. */
class DurableCommandsIT {
    private static final RecordKey KEY = RecordKey.of("api:safe");
    private static final UUID HOST = Ids.of("host", "default");

    private static TurnCommand command(DurableCommands commands, String reason) {
        return new CancelTurn(commands.meta(UUID.randomUUID(), HOST, Actor.person("ann"), "ann", null), null, reason);
    }

    private static Reason rejection(DurableCommands commands, String reason) {
        return assertThrows(UnavailableException.class, () -> commands.submit(KEY, command(commands, reason)))
                .reason();
    }

    @Test
    void sendsACommandDurablyAndRejectsOneThatIsTooLarge() throws Exception {
        // Given
        var clients = TestInfra.kafka().clients();
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, 8, (short) 1).createMissing();
        }
        try (var sessions = new FakeSessions(clients);
                var gateway = new CommandGateway(clients)) {
            gateway.start();
            var commands = new DurableCommands(gateway);

            // When
            var command = command(commands, "stopped");
            var outcome = commands.execute(KEY, command);

            // Then
            assertTrue(outcome.orElseThrow() instanceof Outcome.Refused, "nothing runs there");
            assertTrue(sessions.commands().stream()
                    .anyMatch(received ->
                            received.meta().commandId().equals(command.meta().commandId())));
            assertEquals(Reason.TOO_LARGE, rejection(commands, "x".repeat(9 << 20)));
        }
    }

    @Test
    void unreachableKafkaIsReportedAsUnavailableOnEachAttempt() {
        try (var gateway = new CommandGateway(KafkaClients.of("localhost:1"))) {
            var commands = new DurableCommands(gateway);

            for (int i = 0; i <= CommandGateway.MAX_OPEN; i++) {
                assertEquals(Reason.AWAY, rejection(commands, "stopped"));
            }
        }
    }

    @Test
    void reportsOverloadIfTooManyCommandsArePending() {
        try (var gateway = new CommandGateway(KafkaClients.of("localhost:1"))) {
            var commands = new DurableCommands(gateway);
            for (int i = 0; i < CommandGateway.MAX_OPEN; i++) {
                gateway.send(KEY, command(commands, "stopped"));
            }

            assertEquals(Reason.OVERLOADED, rejection(commands, "stopped"));
        }
    }
}
