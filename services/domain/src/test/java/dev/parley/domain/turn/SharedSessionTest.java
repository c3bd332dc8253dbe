package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.TurnEvent.ApprovalDecided;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.PermissionDecided;
import dev.parley.domain.protocol.origin.Origin;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several people in one session of Ann's: Bob and Cem are guests, Lea leads the project. */
class SharedSessionTest {
    private final SessionFixture session = new SessionFixture();

    @BeforeEach
    void rules() {
        session.permits(
                FixedDefinitions.rule("write", PermissionAction.ASK),
                FixedDefinitions.rule("search", PermissionAction.ASK),
                FixedDefinitions.rule("delegate", PermissionAction.ALLOW));
    }

    private CommandMeta by(String user) {
        CommandMeta ann = session.newMeta();
        var meta = new CommandMeta(ann.commandId(), ann.host(), ann.at(), user, ann.outcomePartition(), null);
        return switch (user) {
            case "lea" -> meta.leading();
            case "ann", "bob", "cem" -> meta.toGuest();
            default -> meta; // in a group of a chat platform
        };
    }

    private UUID says(String user, MailboxMode mode) {
        return session.takes(submit(by(user), mode, null));
    }

    private static SubmitTurn submit(CommandMeta meta, MailboxMode mode, UUID retries) {
        return new SubmitTurn(
                meta,
                Origin.API,
                meta.commandId().toString(),
                mode,
                null,
                null,
                List.of(Block.text("go on")),
                "api",
                null,
                null,
                null,
                true,
                retries,
                List.of());
    }

    private void calls(String tool) {
        session.modelCalls(SessionFixture.call("a", tool, "{\"text\":\"x\"}"));
    }

    private UUID asked() {
        return session.events(ApprovalRequested.class).getLast().approvalId();
    }

    private UUID answers(String user, ApprovalAnswer answer) {
        return session.takes(new DecideApproval(by(user), asked(), answer));
    }

    private void assertNotYours(UUID command) {
        Outcome outcome = session.told(command).getLast();
        assertEquals(
                "not_yours",
                assertInstanceOf(Outcome.Refused.class, outcome, outcome.toString())
                        .code());
    }

    private boolean isAccepted(UUID command) {
        return !(session.told(command).getLast() instanceof Outcome.Refused);
    }

    @ParameterizedTest
    @EnumSource(
            value = ApprovalAnswer.class,
            names = {"ONCE", "SESSION", "PROJECT", "HOST", "REJECT"})
    @Tag("B70")
    void onlyWhoBeganTheTurnAndLeadersAnswer(ApprovalAnswer answer) {
        // Given a turn of Bob's in Ann's session
        says("ann", MailboxMode.FOLLOWUP);
        session.modelAnswers("hello");
        says("bob", MailboxMode.FOLLOWUP);
        calls("write");

        // Then neither the session's owner nor anybody of the group answers
        for (String other : List.of("ann", "cem", "telegram:7")) {
            assertNotYours(answers(other, answer));
        }
        assertEquals(List.of(), session.events(ApprovalDecided.class));

        // When
        assertTrue(isAccepted(answers("bob", answer)));

        // Then
        assertEquals("bob", session.events(ApprovalDecided.class).getLast().by());
    }

    @Test
    @Tag("B70")
    void leadersAnswerForOthers() {
        says("bob", MailboxMode.FOLLOWUP);
        calls("write");
        assertTrue(isAccepted(answers("lea", ApprovalAnswer.REJECT)));
    }

    @Test
    @Tag("B70")
    void aMessageDuringATurnDoesNotMakeItsAuthorAnswerForIt() {
        says("bob", MailboxMode.FOLLOWUP);
        says("cem", MailboxMode.STEER);
        calls("write");
        assertNotYours(answers("cem", ApprovalAnswer.ONCE));
        assertTrue(isAccepted(answers("bob", ApprovalAnswer.ONCE)));
    }

    @Test
    @Tag("B70")
    void questionsOfDelegatesAreForThePersonAtTheTop() {
        says("bob", MailboxMode.FOLLOWUP);
        session.modelCalls(SessionFixture.call("d", "delegate", "{\"agent\":\"alpha\",\"task\":\"t\"}"));
        UUID anything = Ids.of("approval of the delegate");
        assertNotYours(session.takes(new DecideApproval(by("cem"), anything, ApprovalAnswer.ONCE)));
        assertTrue(isAccepted(session.takes(new DecideApproval(by("bob"), anything, ApprovalAnswer.ONCE))));
    }

    @Test
    @Tag("B71")
    void ruleOfOnePersonsAnswerApprovesNoCallsOfOthers() {
        // Given
        says("bob", MailboxMode.FOLLOWUP);
        calls("write");
        answers("bob", ApprovalAnswer.SESSION);
        session.toolAnswers("a", "done");
        session.modelAnswers("done");

        // When another person's turn makes the same call
        says("cem", MailboxMode.FOLLOWUP);
        calls("write");

        // Then
        assertEquals(
                PermissionAction.ASK,
                session.events(PermissionDecided.class).getLast().action());
        answers("cem", ApprovalAnswer.REJECT);
        session.modelAnswers("then not");

        // When Bob's does
        says("bob", MailboxMode.FOLLOWUP);
        calls("write");

        // Then
        assertEquals(
                PermissionAction.ALLOW,
                session.events(PermissionDecided.class).getLast().action());
    }

    @Test
    @Tag("B71")
    void ruleThatIsSetForTheSessionIsForEverybody() {
        says("ann", MailboxMode.FOLLOWUP);
        session.modelAnswers("hello");
        UUID id = PermissionRule.idInSession("write", "**", PermissionAction.ALLOW);
        session.takes(new SetPermissions(
                by("ann"),
                List.of(new PermissionRule(
                        id, RuleLevel.SESSION, null, "write", "**", PermissionAction.ALLOW, false, null, "ann"))));
        says("cem", MailboxMode.FOLLOWUP);
        calls("write");
        assertEquals(
                PermissionAction.ALLOW,
                session.events(PermissionDecided.class).getLast().action());
    }

    private List<TurnCommand> changes(String user, UUID turn) {
        RecordKey other = new RecordKey(session.state().key().project(), "web:2");
        return List.of(
                change(user, Change.RENAME),
                change(user, Change.CONFIGURE),
                change(user, Change.ARCHIVE),
                change(user, Change.REOPEN),
                change(user, Change.DELETE),
                change(user, Change.ERASE),
                new ResetContext(by(user), Reset.CLEAR, null),
                new ResetContext(by(user), Reset.FORGET, null),
                new ResetContext(by(user), Reset.NEW, null),
                new ResetContext(by(user), Reset.UNDO, null),
                new ResetContext(by(user), Reset.MARK, "m"),
                new ResetContext(by(user), Reset.REVERT, null),
                new ResetContext(by(user), Reset.UNREVERT, null),
                new SetPermissions(by(user), List.of()),
                new CancelTurn(by(user), null, "x"),
                new CancelTurn(by(user), turn, "x"),
                submit(by(user), MailboxMode.INTERRUPT, null),
                submit(by(user), MailboxMode.FOLLOWUP, Ids.message(turn, 1)),
                new SeedContext(
                        by(user), Ids.of("f"), other, other.sessionId(0), null, 0, 1, null, null, null, List.of()),
                new ImportSession(by(user), Ids.of("i"), 0, 1, List.of()));
    }

    private ChangeSession change(String user, Change change) {
        return new ChangeSession(by(user), change, "t", null, null, "api", null);
    }

    @Test
    @Tag("B72")
    void guestsReadAndWriteAndChangeNothing() {
        UUID turn = says("ann", MailboxMode.FOLLOWUP);
        changes("bob", turn).forEach(command -> assertNotYours(session.takes(command)));
        assertTrue(isAccepted(says("bob", MailboxMode.FOLLOWUP)));
        assertTrue(isAccepted(session.takes(new ListTodos(by("bob")))));
        assertTrue(isAccepted(session.takes(new ListCalls(by("bob")))));
    }

    @Test
    @Tag("B72")
    void guestsCancelAndReviseTheirOwnTurns() {
        says("ann", MailboxMode.FOLLOWUP);
        UUID queued = says("bob", MailboxMode.FOLLOWUP);
        assertTrue(isAccepted(session.takes(new ReviseTurn(by("bob"), queued, List.of(Block.text("better"))))));
        assertNotYours(session.takes(new CancelTurn(by("cem"), queued, "x")));
        assertTrue(isAccepted(session.takes(new CancelTurn(by("bob"), queued, "x"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ann", "lea", "telegram:7"})
    @Tag("B72")
    void ownersLeadersAndChatsAreNotGuests(String user) {
        UUID turn = says("ann", MailboxMode.FOLLOWUP);
        for (TurnCommand command : changes(user, turn).reversed()) {
            UUID id = session.takes(command);
            boolean refused = session.told(id).stream()
                    .anyMatch(outcome -> outcome instanceof Outcome.Refused refusal
                            && refusal.code().equals("not_yours"));
            assertEquals(false, refused, command.toString());
        }
    }

    /** Whoever writes and answers in whatever order: no call is approved by anybody but its turn's person or a leader. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("B70")
    void nobodyApprovesForAnother(long seed) {
        var random = new Random(seed);
        List<String> people = List.of("ann", "bob", "cem", "lea", "telegram:7");
        says("ann", MailboxMode.FOLLOWUP);
        for (int step = 0; step < 200; step++) {
            String person = people.get(random.nextInt(people.size()));
            var active = session.state().active();
            if (active == null) {
                says(person, MailboxMode.FOLLOWUP);
            } else if (active.model() != null) {
                if (random.nextInt(4) == 0) {
                    session.modelAnswers("done");
                } else {
                    session.modelCalls(SessionFixture.call("c" + step, "write", "{\"text\":\"" + step + "\"}"));
                }
            } else if (active.calls().stream().anyMatch(call -> call.approval() != null)) {
                int before = session.events(ApprovalDecided.class).size();
                answers(person, random.nextBoolean() ? ApprovalAnswer.ONCE : ApprovalAnswer.REJECT);
                boolean decided = session.events(ApprovalDecided.class).size() > before;
                assertEquals(person.equals("lea") || person.equals(active.turn().user()), decided);
                if (random.nextInt(3) == 0) {
                    says(person, random.nextBoolean() ? MailboxMode.STEER : MailboxMode.FOLLOWUP);
                }
            } else {
                active.calls().stream()
                        .filter(call -> !call.status().isFinal())
                        .findFirst()
                        .ifPresent(call -> session.toolAnswers(call.toolCallId(), "ok"));
            }
        }
        assertTrue(session.events(ApprovalDecided.class).size() > 10);
    }
}
