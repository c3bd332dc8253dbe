package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent.ApprovalDecided;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.PermissionDecided;
import dev.parley.domain.protocol.TurnEvent.TurnCompleted;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.origin.Origin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tool calls that rules allow, deny, or leave to a person. */
class ApprovalTest {
    private final SessionFixture session = new SessionFixture();

    @BeforeEach
    void rules() {
        session.permits(
                FixedDefinitions.rule("search", PermissionAction.ALLOW),
                FixedDefinitions.rule("write", PermissionAction.ASK),
                FixedDefinitions.rule("fly", PermissionAction.DENY),
                FixedDefinitions.rule("delegate", PermissionAction.ALLOW));
        session.says("go on");
    }

    private void calls(String tool) {
        session.modelCalls(SessionFixture.call("a", tool, "{\"text\":\"x\"}"));
    }

    private UUID approvalId() {
        return session.events(ApprovalRequested.class).getLast().approvalId();
    }

    private UUID answers(UUID approval, ApprovalAnswer answer) {
        return session.takes(new DecideApproval(session.newMeta(), approval, answer));
    }

    @Test
    @Tag("I90")
    @Tag("I91")
    void runsAnAllowedCallWithoutApproval() {
        // When
        calls("search");

        // Then
        assertEquals(1, session.requests().count());
        var decided = session.events(PermissionDecided.class).getFirst();
        assertEquals(PermissionAction.ALLOW, decided.action());
        assertEquals(Ids.of("search", PermissionAction.ALLOW), decided.rule());
        assertEquals(List.of(), session.events(ApprovalRequested.class));
    }

    @Test
    @Tag("I90")
    @Tag("I92")
    void deniedCallIsAnErrorForTheModel() {
        // Given
        session.offers("fly");

        // When
        calls("fly");

        // Then
        assertEquals(0, session.requests().count());
        UUID rule = Ids.of("fly", PermissionAction.DENY);
        assertEquals(rule, session.events(PermissionDecided.class).getFirst().rule());
        assertTrue(
                session.shown().getLast().contains("error: denied by the rule " + rule),
                session.shown().getLast());
    }

    @Test
    @Tag("I93")
    void listsPendingApprovalsUntilTheyAreAnswered() {
        // Given
        calls("write");
        ApprovalRequested requested = session.events(ApprovalRequested.class).getLast();

        // Then
        assertEquals(
                List.of(new PendingApproval(
                        session.state().running().turnId(),
                        requested.approvalId(),
                        0,
                        "a",
                        "write",
                        "May I use write?\n{\"text\":\"x\"}",
                        requested.expiresAt())),
                session.approvalsTold());

        // When
        answers(requested.approvalId(), ApprovalAnswer.ONCE);

        // Then
        assertEquals(List.of(), session.approvalsTold());
    }

    private Reply questionAbout(String arguments) {
        session.modelCalls(SessionFixture.call("a", "write", arguments));
        return session.replies(Reply.Kind.MESSAGE).getLast();
    }

    @Test
    @Tag("B73")
    void questionShowsTheWholeCall() {
        String middle = "x".repeat(2_000) + " and send all of it to eve " + "y".repeat(2_000);
        Reply question = questionAbout("{\"text\":\"" + middle + "\"}");

        assertTrue(question.text().contains(middle));
        assertTrue(session.approvalsTold().getFirst().text().contains(middle));
        assertTrue(session.events(ApprovalRequested.class).getLast().arguments().contains(middle));
        assertEquals(4, question.choices().size());
    }

    @Test
    @Tag("B73")
    void callThatCannotBeShownCanOnlyBeRejected() {
        Reply question = questionAbout("{\"text\":\"" + "x".repeat(100_000) + "\"}");

        assertTrue(question.text().contains("100011 characters"), question.text());
        assertEquals(
                List.of("R " + approvalId()),
                question.choices().stream().map(Choice::value).toList());
    }

    @Test
    @Tag("B74")
    void questionEscapesWhatCannotBeSeen() {
        Reply question = questionAbout("{\"text\":\"a\u202Eb\u200Bc\"}");

        assertEquals("May I use write?\n```\n{\"text\":\"a\\u202Eb\\u200Bc\"}\n```", question.text());
        assertTrue(session.approvalsTold().getFirst().text().contains("a\\u202Eb"));
        assertTrue(session.events(ApprovalRequested.class).getLast().arguments().contains("a\\u202Eb"));
    }

    @Test
    @Tag("B74")
    void argumentsDoNotEndTheBlockOfCode() {
        Reply question = questionAbout("{\"text\":\"````\\n**harmless** @everyone\"}");

        assertEquals("May I use write?\n`````\n{\"text\":\"````\\n**harmless** @everyone\"}\n`````", question.text());
    }

    @Test
    @Tag("I93")
    void callWaitsForItsApproval() {
        // When
        calls("write");

        // Then
        assertEquals(0, session.requests().count());
        assertEquals(TurnState.WAITING_APPROVAL, session.state().running().state());
        Reply question = session.replies(Reply.Kind.MESSAGE).getLast();
        assertEquals(approvalId(), question.replyId());
        assertEquals("May I use write?\n```\n{\"text\":\"x\"}\n```", question.text());
        assertEquals(
                List.of("O " + approvalId(), "S " + approvalId(), "P " + approvalId(), "R " + approvalId()),
                question.choices().stream().map(Choice::value).toList());

        // When the answer comes late, before the approval expires
        session.after(Duration.ofMinutes(50));
        UUID answer = answers(approvalId(), ApprovalAnswer.ONCE);

        // Then
        assertEquals(1, session.requests().count());
        assertEquals("ann", session.events(ApprovalDecided.class).getLast().by());
        assertEquals(Outcome.Disposition.DONE, session.accepted(answer).disposition());
        session.toolAnswers("a", "written");
        session.modelAnswers("done");
        session.replies("done");
    }

    @Test
    @Tag("I93")
    void waitingForAnApprovalExtendsTheDeadline() {
        // Given
        var deadline = session.state().running().deadline();
        calls("write");

        // When
        session.after(Duration.ofMinutes(40));
        answers(approvalId(), ApprovalAnswer.ONCE);

        // Then
        assertEquals(
                deadline.plus(Duration.ofMinutes(40)), session.state().running().deadline());
        session.after(Duration.ofSeconds(1));
        session.toolAnswers("a", "written");
        session.modelAnswers("done");
        session.replies("done");
    }

    @Test
    @Tag("I93")
    void rejectedCallIsAnErrorForTheModel() {
        // Given
        calls("write");

        // When
        answers(approvalId(), ApprovalAnswer.REJECT);

        // Then
        assertEquals(0, session.requests().count());
        assertEquals("tool: a: error: a person said no to this", session.shown().getLast());
    }

    @Test
    @Tag("I93")
    void approvalExpiresAsARejection() {
        // Given
        calls("write");
        UUID approval = approvalId();

        // When
        session.after(Duration.ofHours(1));

        // Then
        assertEquals(
                ApprovalAnswer.EXPIRED,
                session.events(ApprovalDecided.class).getLast().answer());
        assertNull(session.events(ApprovalDecided.class).getLast().by());
        assertTrue(session.shown().getLast().contains("the request for approval was not answered in time"));
        session.refuses(answers(approval, ApprovalAnswer.ONCE), "unknown_approval");
        assertEquals(0, session.requests().count());
        session.modelAnswers("without it, then");
        session.replies("without it, then");
    }

    @Test
    @Tag("I93")
    void rejectsASecondAnswer() {
        // Given
        calls("write");
        UUID approval = approvalId();
        answers(approval, ApprovalAnswer.REJECT);

        // Then
        session.refuses(answers(approval, ApprovalAnswer.ONCE), "unknown_approval");
        assertEquals(0, session.requests().count());
    }

    @Test
    @Tag("I94")
    void sessionApprovalHoldsInThatSessionOnly() {
        // Given
        calls("write");
        answers(approvalId(), ApprovalAnswer.SESSION);
        session.toolAnswers("a", "1");

        // When it makes the same call and another one
        session.modelCalls(SessionFixture.call("b", "write", "{\"text\":\"x\"}"));

        // Then
        assertEquals(1, session.events(ApprovalRequested.class).size());
        session.toolAnswers("b", "2");
        session.modelAnswers("done");

        // When it makes the call in another session
        var elsewhere = session.other("web:2");
        elsewhere.says("go on");
        elsewhere.modelCalls(SessionFixture.call("c", "write", "{\"text\":\"x\"}"));

        // Then
        assertEquals(1, elsewhere.events(ApprovalRequested.class).size());

        // When a new session begins under the key
        session.resets(Reset.NEW);
        session.says("again");
        session.modelCalls(SessionFixture.call("d", "write", "{\"text\":\"x\"}"));

        // Then
        assertEquals(2, session.events(ApprovalRequested.class).size());
    }

    private RuleRequest ruleRequest() {
        return session.effects(TurnEffect.RequestRule.class).getLast().request();
    }

    @Test
    @Tag("I95")
    @Tag("I96")
    void projectOrHostApprovalRunsTheCallAndRequestsARule() {
        // Given
        calls("write");
        UUID approval = approvalId();

        // When
        answers(approval, ApprovalAnswer.PROJECT);

        // Then
        assertEquals(1, session.requests().count());
        assertEquals(
                ApprovalAnswer.PROJECT,
                session.events(ApprovalDecided.class).getLast().answer());
        UUID rule = Ids.of("permission", approval, "");
        UUID host = session.state().open().host();
        assertEquals(
                new RuleRequest(rule, host, RecordKey.DEFAULT_PROJECT, "write", PermissionRule.EVERYTHING, "ann"),
                ruleRequest());
        assertEquals(List.of(), session.state().open().permissions(), "the rule is the project's");

        // When
        session.toolAnswers("a", "1");
        session.modelCalls(SessionFixture.call("b", "write", "{\"text\":\"y\"}"));
        answers(approvalId(), ApprovalAnswer.HOST);

        // Then
        assertEquals(2, session.effects(TurnEffect.RequestRule.class).size());
        assertNull(ruleRequest().project());
        assertNotEquals(rule, ruleRequest().id());
    }

    @Test
    @Tag("I95")
    void approvalForOnceOrRejectionRequestsNoRule() {
        calls("write");
        answers(approvalId(), ApprovalAnswer.ONCE);
        session.toolAnswers("a", "1");
        session.modelCalls(SessionFixture.call("b", "write", "{}"));
        answers(approvalId(), ApprovalAnswer.REJECT);

        assertEquals(List.of(), session.effects(TurnEffect.RequestRule.class));
    }

    @Test
    @Tag("I95")
    void delegateRequestsTheRuleOfAProjectApproval() {
        // Given
        session.modelCalls(SessionFixture.delegate("a", "alpha", "write it"));
        var child = session.child("alpha");
        child.modelCalls(SessionFixture.call("b", "write", "{}"));

        // When
        answers(child.events(ApprovalRequested.class).getLast().approvalId(), ApprovalAnswer.PROJECT);

        // Then
        assertEquals(List.of(), session.effects(TurnEffect.RequestRule.class));
        var ruleRequest = child.effects(TurnEffect.RequestRule.class).getLast().request();
        assertEquals(RecordKey.DEFAULT_PROJECT, ruleRequest.project());
        assertEquals("ann", ruleRequest.by());
        assertEquals(1, child.requests().count());
    }

    @Test
    @Tag("B133")
    void whatAlwaysInThisSessionGrantedIsTakenBack() {
        // Given
        calls("write");
        answers(approvalId(), ApprovalAnswer.SESSION);
        session.toolAnswers("a", "1");
        UUID rule = session.state().open().permissions().getFirst().id();

        // When
        UUID removed = session.takes(new TurnCommand.SetPermissions(session.newMeta(), List.of(), rule));
        UUID again = session.takes(new TurnCommand.SetPermissions(session.newMeta(), List.of(), rule));

        // Then
        assertEquals(Outcome.Disposition.DONE, session.accepted(removed).disposition());
        session.refuses(again, "unknown_rule");
        assertEquals(List.of(), session.state().open().permissions());
        session.modelCalls(SessionFixture.call("b", "write", "{\"text\":\"x\"}"));
        assertEquals(2, session.events(ApprovalRequested.class).size());
    }

    @Test
    @Tag("I53")
    void sessionRulesOverrideOtherRules() {
        // When
        UUID set = session.takes(new TurnCommand.SetPermissions(
                session.newMeta(),
                List.of(new PermissionRule(
                        Ids.of("own"),
                        RuleLevel.SESSION,
                        null,
                        "search",
                        PermissionRule.EVERYTHING,
                        PermissionAction.DENY,
                        false,
                        null,
                        "ann"))));
        calls("search");

        // Then
        assertEquals(Outcome.Disposition.DONE, session.accepted(set).disposition());
        assertEquals(0, session.requests().count());
        assertEquals(
                Ids.of("own"), session.events(PermissionDecided.class).getLast().rule());
        var elsewhere = session.other("web:2");
        elsewhere.says("go on");
        elsewhere.modelCalls(SessionFixture.call("b", "search", "{}"));
        assertEquals(1, elsewhere.requests().count());
    }

    @Test
    void approvalAppliesToOneCallWithItsArguments() {
        // Given
        session.modelCalls(
                SessionFixture.call("a", "write", "{\"text\":\"x\"}"),
                SessionFixture.call("b", "write", "{\"text\":\"y\"}"));
        var requests = session.events(ApprovalRequested.class);
        assertNotEquals(requests.getFirst().approvalId(), requests.getLast().approvalId());

        // When
        answers(requests.getLast().approvalId(), ApprovalAnswer.ONCE);

        // Then
        assertEquals(
                List.of("{\"text\":\"y\"}"),
                session.requests().map(ToolRequest::arguments).toList());
        assertEquals(TurnState.WAITING_APPROVAL, session.state().running().state());
        session.toolAnswers("b", "1");
        answers(requests.getFirst().approvalId(), ApprovalAnswer.REJECT);
        session.modelAnswers("done");
        session.replies("done");
    }

    @Test
    void cancelledTurnWithdrawsItsApproval() {
        // Given
        calls("write");
        UUID approval = approvalId();

        // When
        session.cancels(null);

        // Then
        session.isIdle();
        session.refuses(answers(approval, ApprovalAnswer.ONCE), "unknown_approval");
        assertEquals(0, session.requests().count());
        assertEquals(0, session.effects(TurnEffect.CancelTool.class).size(), "nobody has begun");
    }

    @Test
    void scheduledTurnDeniesACallThatNeedsApproval() {
        // Given a turn started by a schedule
        var night = session.other("web:3");
        night.saysOf(Origin.SCHEDULE, "do it");

        // When
        night.modelCalls(SessionFixture.call("a", "write", "{}"));

        // Then
        assertEquals(
                PermissionAction.DENY,
                night.events(PermissionDecided.class).getLast().action());
        assertTrue(
                night.shown().getLast().contains("nobody can be asked"),
                night.shown().getLast());
    }

    @Test
    void approvalOfAWorkflowExpiresAfterADay() {
        // Given
        var process = session.other("workflow:1");
        process.saysOf(Origin.WORKFLOW, "do it");

        // When
        process.modelCalls(SessionFixture.call("a", "write", "{}"));

        // Then
        ApprovalRequested requested = process.events(ApprovalRequested.class).getLast();
        assertEquals(Duration.ofDays(1), Duration.between(requested.meta().at(), requested.expiresAt()));
    }

    @Test
    void turnWithoutApprovalsDeniesACallThatNeedsOne() {
        // Given
        var process = session.other("workflow:1");
        var settings = new Settings(null, null, null, null, null, Map.of(Settings.APPROVALS, Agent.NONE));
        process.saysOf(Origin.WORKFLOW, "do it", settings);

        // When
        process.modelCalls(SessionFixture.call("a", "write", "{}"));

        // Then
        assertEquals(List.of(), process.events(ApprovalRequested.class));
        assertTrue(
                process.shown().getLast().contains("nobody can be asked"),
                process.shown().getLast());
    }

    @Test
    void approvalOfADelegateIsSentToTheTopChat() {
        // Given
        session.modelCalls(SessionFixture.delegate("a", "alpha", "write it"));
        var child = session.child("alpha");

        // When
        child.modelCalls(SessionFixture.call("b", "write", "{}"));

        // Then
        Reply question = child.replies(Reply.Kind.MESSAGE).getLast();
        assertEquals("chat", question.to().chat());
        assertEquals(child.state().key(), question.key());

        // When
        UUID approval = child.events(ApprovalRequested.class).getLast().approvalId();
        answers(approval, ApprovalAnswer.ONCE); // in the root session, where the person is
        child.toolAnswers("b", "written");
        child.modelAnswers("I wrote it");
        session.modelAnswers("done");

        // Then
        assertEquals(1, session.events(TurnCompleted.class).size());
    }

    @Test
    void safetyChecksOfAProviderNeedApprovalDespiteRules() {
        // When
        session.modelCalls(SessionFixture.call(
                "a", "search", "{\"pending_safety_checks\":[{\"id\":\"1\",\"message\":\"Is it you?\"}]}"));

        // Then
        assertEquals(
                "Is it you?", session.events(ApprovalRequested.class).getFirst().reason());
        assertEquals(
                List.of("Once", "No"),
                session.replies(Reply.Kind.MESSAGE).getLast().choices().stream()
                        .map(Choice::label)
                        .toList(),
                "no rule would help");
        assertEquals(0, session.requests().count());
        answers(approvalId(), ApprovalAnswer.ONCE);
        assertEquals(1, session.requests().count());
    }
}
