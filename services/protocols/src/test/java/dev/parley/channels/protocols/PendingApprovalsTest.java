package dev.parley.channels.protocols;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.protocols.PendingApprovals.Approval;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pending approvals of a turn, derived from its deltas. */
class PendingApprovalsTest {
    private final PendingApprovals approvals = new PendingApprovals();

    private void apply(Kind kind, String tool, String id) {
        approvals.apply(new TurnDelta(new UUID(0, 1), kind, 0, 1, "text", tool, id, null));
    }

    private List<String> open() {
        return approvals.open().stream().map(Approval::id).toList();
    }

    @Test
    @Tag("D24")
    void assignsApprovalsToTheirToolCalls() {
        // Given
        apply(Kind.TOOL_CALL, "echo", "c1");
        apply(Kind.APPROVAL, "echo", "q1");
        apply(Kind.TOOL_CALL, "echo", "c2");
        apply(Kind.TOOL_CALL, "time", "c3");
        apply(Kind.APPROVAL, "echo", "q2");

        // Then
        assertEquals(
                List.of("c1", "c2"),
                approvals.open().stream().map(Approval::call).toList());
        assertEquals(Duration.ofSeconds(2), approvals.idleTimeout().orElseThrow());

        // When
        apply(Kind.TOOL_RESULT, "time", "c3");

        // Then
        assertEquals(Duration.ofMillis(300), approvals.idleTimeout().orElseThrow());

        // When
        apply(Kind.TOOL_RESULT, "echo", "c1");

        // Then
        assertEquals(List.of("q2"), open());
    }

    @Test
    @Tag("D24")
    void repeatedApprovalStaysAnswered() {
        apply(Kind.APPROVAL, "echo", "q1");
        approvals.markAnswered("q1");
        apply(Kind.APPROVAL, "echo", "q1");

        assertEquals(List.of(), open());
        assertTrue(approvals.idleTimeout().isEmpty());
    }

    @Test
    @Tag("D24")
    void endedTurnHasNoPendingApprovals() {
        apply(Kind.APPROVAL, "echo", "q1");
        apply(Kind.ERROR, "echo", "");

        assertEquals(List.of(), open());
    }

    @Test
    @Tag("D24")
    void externalTurnIdEncodesSessionAndTurn() {
        for (String session : List.of("api:0b6e1a3c-94a2-4d8e-8f1e-2b5c3d4e5f60", "web:ä 1", "k")) {
            var name = new ExternalTurnId(session, new UUID(1, 2));
            assertTrue(name.text().matches("[A-Za-z0-9_-]+"), name.text());
            assertEquals(name, ExternalTurnId.parse(name.text()).orElseThrow());
        }
        assertTrue(ExternalTurnId.parse("task-1").isEmpty());
    }
}
