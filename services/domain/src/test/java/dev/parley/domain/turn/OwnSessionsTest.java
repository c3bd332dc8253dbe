package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.origin.Origin;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ann owns the session that she opened. Bob may only use his own sessions. */
class OwnSessionsTest {
    private final SessionFixture session = new SessionFixture();

    private CommandMeta bob() {
        CommandMeta ann = session.newMeta();
        return ann.with().user("bob").ownOnly(true).build();
    }

    private SubmitTurn says(CommandMeta meta, String ref) {
        return new SubmitTurn(
                meta,
                Origin.API,
                ref,
                MailboxMode.FOLLOWUP,
                null,
                null,
                List.of(Block.text("hi")),
                "api",
                null,
                null,
                null);
    }

    private void assertHidden(UUID command) {
        var outcomes = session.told(command);
        assertEquals(1, outcomes.size(), outcomes.toString());
        assertEquals("unknown_session", ((Outcome.Refused) outcomes.getFirst()).code());
    }

    @Test
    @Tag("P53")
    void sessionsOfOtherUsersAreReportedAsUnknown() {
        // Given
        session.says("hi");

        // Then
        assertHidden(session.takes(says(bob(), "1")));
        assertHidden(session.takes(new CancelTurn(bob(), null, "x")));
        assertHidden(session.takes(new ResetContext(bob(), Reset.CLEAR, null)));
        assertHidden(session.takes(new ChangeSession(bob(), Change.DELETE, null, null, null, "api", null)));
        assertHidden(session.takes(
                new ForkSession(bob(), session.other("copy").state().key(), null)));

        // When
        session.modelAnswers("hello");

        // Then the session is unaffected
        session.replies("hello");
        session.isIdle();
    }

    @Test
    @Tag("P53")
    void duplicateByAnotherUserDoesNotRevealTheReply() {
        // Given
        CommandMeta anns = session.newMeta();
        session.takes(says(anns, "1"));
        session.modelAnswers("hello");
        var outcomesBefore = session.told(anns.commandId()).size();

        // When
        session.takes(says(anns.with().user("bob").ownOnly(true).build(), "1"));

        // Then
        var outcomes = session.told(anns.commandId());
        assertEquals("unknown_session", ((Outcome.Refused) outcomes.getLast()).code());
        assertEquals(outcomesBefore + 1, outcomes.size());

        // And Ann receives the same outcome again
        session.takes(says(anns, "1"));
        assertEquals("hello", session.finished(anns.commandId()).reply());
    }

    @Test
    @Tag("P53")
    void newSessionKeepsTheOwnerOfItsKey() {
        // Given
        session.says("hi");
        session.modelAnswers("hello");

        // When the lead of the project starts a new session
        CommandMeta ann = session.newMeta();
        session.takes(new ResetContext(
                new CommandMeta(ann.commandId(), ann.host(), ann.at(), "lead", null, null), Reset.NEW, null));

        // Then
        assertEquals("ann", session.state().open().user());
        assertHidden(session.takes(says(bob(), "2")));
    }

    @Test
    @Tag("I21")
    void userWithoutCreateRightUsesExistingSessionsOnly() {
        // Given
        CommandMeta ann = session.newMeta();

        // When
        UUID refused = session.takes(says(ann.toExisting(), "1"));

        // Then
        assertHidden(refused);

        // When another user has opened it
        session.changes(Change.OPEN);
        UUID submitted = session.takes(says(session.newMeta().toExisting(), "2"));

        // Then
        session.accepted(submitted);
    }
}
