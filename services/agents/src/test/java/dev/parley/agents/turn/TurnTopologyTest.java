package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.TurnCommand.AnswerCall;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.ListCalls;
import dev.parley.domain.protocol.TurnCommand.SetPermissions;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.turn.TurnMachine;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "in memory: {0}")
@ValueSource(booleans = {false, true})
class TurnTopologyTest {
    private static final Agent DEFAULT = Agent.of("default", "scripted", "scripted", "You are kind.");

    @Parameter
    boolean local;

    @TempDir
    Path state;

    private TopologyFixture chat;

    @BeforeEach
    void open() {
        chat = new TopologyFixture(state, local, DEFAULT);
    }

    @AfterEach
    void close() {
        chat.close();
    }

    @Test
    @Tag("P14")
    void aTurnWithoutToolsGoesFromCommandToReply() {
        // Given
        var turnId = chat.says("cli:ann", "hello");
        ModelRequest request = chat.modelRequest();

        // When
        chat.modelSays("cli:ann", request, Block.text("hi Ann"));

        // Then
        assertEquals("hello", request.messages().getLast().text());
        assertEquals(
                List.of(
                        "SessionOpened",
                        "TurnAccepted",
                        "TurnStarted",
                        "ModelRequested",
                        "ModelCalled",
                        "TurnCompleted"),
                chat.events());
        var outcomes = chat.read(Topics.OUTCOMES);
        assertInstanceOf(Outcome.Accepted.class, outcomes.getFirst());
        var finished = assertInstanceOf(Outcome.Finished.class, outcomes.getLast());
        assertEquals(turnId, finished.turnId());
        assertEquals("hi Ann", finished.reply());
        assertEquals(TurnState.COMPLETED, finished.state());
        assertEquals(
                1,
                chat.meters
                        .counter("parley.turns.ended", "state", "completed", "error", "")
                        .count());
        assertEquals(1, chat.meters.timer("parley.turn", "state", "completed").count());
    }

    @Test
    @Tag("P37")
    void resultsOfParallelToolsReachTheModelInCallOrder() {
        // Given
        chat.says("cli:ann", "twice please");
        chat.modelSays("cli:ann", chat.modelRequest(), call("a", "one"), call("b", "two"));
        var calls = chat.toolRequests();

        // When
        chat.toolSays("cli:ann", calls.get(1), "second");
        chat.toolSays("cli:ann", calls.get(0), "first");

        // Then
        var results = chat.modelRequest().messages().stream()
                .filter(message -> message.role() == Role.TOOL)
                .map(message -> ((Block.ToolResult) message.blocks().getFirst()).content())
                .toList();
        assertEquals(List.of("first", "second"), results);
    }

    @Test
    @Tag("I95")
    void projectApprovalRequestsAPermissionRule() {
        // Given
        var rule = new PermissionRule(
                Ids.of("ask"),
                RuleLevel.SESSION,
                null,
                "echo",
                PermissionRule.EVERYTHING,
                PermissionAction.ASK,
                false,
                null,
                null);
        chat.says("cli:ann", "echo, please");
        chat.command("cli:ann", new SetPermissions(meta("rules"), List.of(rule)));
        chat.modelSays("cli:ann", chat.modelRequest(), call("a", "one"));
        var approval = chat.events(ApprovalRequested.class).getFirst().approvalId();
        assertEquals(List.of(), chat.toolRequests());

        // When
        chat.command("cli:ann", new DecideApproval(meta("answer"), approval, ApprovalAnswer.PROJECT));

        // Then
        assertEquals(1, chat.toolRequests().size(), "it runs at once");
        var record = chat.records(Topics.RULE_REQUESTS).getFirst();
        assertEquals(TopologyFixture.HOST.toString(), new String(record.key(), StandardCharsets.UTF_8));
        RuleRequest ruleRequest = RecordCodec.read(Topics.RULE_REQUESTS, record.headers(), record.value());
        assertEquals(Ids.of("permission", approval, ""), ruleRequest.id());
        assertEquals("default", ruleRequest.project());
        assertEquals("echo", ruleRequest.tool());
        assertEquals("ann", ruleRequest.by());
    }

    @Test
    @Tag("I130")
    void callersToolCallWaitsForItsResult() {
        // Given
        var pick = ToolSpec.ofCaller("pick", "Picks a colour", "{\"type\":\"object\"}");
        chat.says("cli:ann", "pick one", pick);
        ModelRequest request = chat.modelRequest();
        chat.modelSays("cli:ann", request, new Block.ToolCall("a", "pick", "{\"n\":1}", null), call("b", "one"));
        var toolRequests = chat.toolRequests();

        // When
        var listMeta = new CommandMeta(Ids.of("calls"), TopologyFixture.HOST, TopologyFixture.START, "ann", 3, null);
        chat.command("cli:ann", new ListCalls(listMeta));
        var listed = assertInstanceOf(
                Outcome.CallsListed.class, chat.read(Topics.OUTCOMES).getLast());
        chat.command(
                "cli:ann",
                new AnswerCall(meta("result"), listed.calls().getFirst().callId(), "blue", false));
        chat.toolSays("cli:ann", toolRequests.getFirst(), "one");

        // Then
        assertEquals(pick, request.tools().getLast());
        assertEquals(
                List.of("echo"), toolRequests.stream().map(ToolRequest::name).toList());
        assertEquals("{\"n\":1}", listed.calls().getFirst().arguments());
        assertEquals(1, listed.calls().size());
        var results = chat.modelRequest().messages().stream()
                .filter(message -> message.role() == Role.TOOL)
                .map(message -> ((Block.ToolResult) message.blocks().getFirst()).content())
                .toList();
        assertEquals(List.of("blue", "one"), results);
    }

    private static CommandMeta meta(String name) {
        return new CommandMeta(Ids.of(name), TopologyFixture.HOST, TopologyFixture.START, "ann", null, null);
    }

    @Test
    @Tag("P15")
    void laterTurnsSeeEarlierOnes() {
        // Given
        chat.says("cli:ann", "my name is Ann");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("noted"));

        // When
        chat.says("cli:ann", "what is my name?");

        // Then
        assertEquals(
                List.of("my name is Ann", "noted", "what is my name?"),
                chat.modelRequest().messages().stream()
                        .map(message -> message.text())
                        .toList());
    }

    @Test
    @Tag("P1")
    void sessionsDoNotMix() {
        // Given
        chat.says("telegram:1", "I am one");
        chat.modelSays("telegram:1", chat.modelRequest(), Block.text("one"));

        // When
        chat.says("telegram:2", "I am two");

        // Then
        assertEquals(1, chat.modelRequest().messages().size());
    }

    @Test
    @Tag("P54")
    void aDuplicateChangesNothingAndRepeatsTheOutcome() {
        // Given
        var first = chat.says("cli:ann", "hello", MailboxMode.FOLLOWUP, "same");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("hi"));
        chat.events();
        chat.read(Topics.OUTCOMES);

        // When
        chat.says("cli:ann", "hello", MailboxMode.FOLLOWUP, "same");

        // Then
        assertEquals(List.of(), chat.events());
        var repeated = assertInstanceOf(
                Outcome.Finished.class, chat.read(Topics.OUTCOMES).getFirst());
        assertEquals(first, repeated.turnId());
    }

    @Test
    void outcomesAreForgottenAfterAWeek() {
        // Given
        chat.says("cli:ann", "hello");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("hi"));
        chat.passes(Duration.ofDays(6));
        chat.says("cli:ann", "again");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("hi"));
        assertEquals(2, chat.outcomes());

        // When
        chat.passes(Duration.ofDays(2));

        // Then
        assertEquals(1, chat.outcomes());
    }

    @Test
    @Tag("I68")
    void retriesACallAfterItsLease() {
        // Given
        chat.says("cli:ann", "hello");
        ModelRequest first = chat.modelRequest();

        // When
        chat.passes(TurnMachine.LEASE.plus(Duration.ofMillis(100)));

        // Then
        ModelRequest second = chat.modelRequest();
        assertEquals(first.callId(), second.callId());
        assertEquals(2, second.attempt());
    }

    @Test
    void sendsToolDigestsAndOnRetryFullTools() {
        // Given
        chat.says("cli:ann", "hello");
        ModelRequest first = chat.modelRequest();
        assertEquals(local, first.toolDigests().isEmpty(), "in memory nothing is left out");
        assertEquals(local, names(first).contains("echo"));
        assertTrue(names(first).contains("message"), "it is nobody's definition");

        // When
        chat.result(
                "cli:ann",
                new CallResult.RetryAfter(first.callId(), first.attempt(), Duration.ZERO, "knows other tools"));
        chat.passes(Duration.ofMillis(100));

        // Then
        ModelRequest second = chat.modelRequest();
        assertEquals(first.callId(), second.callId());
        assertEquals(List.of(), second.toolDigests());
        assertTrue(names(second).contains("echo"));
    }

    private static List<String> names(ModelRequest request) {
        return request.tools().stream().map(ToolSpec::name).toList();
    }

    @Test
    void progressKeepsTheLease() {
        // Given
        chat.says("cli:ann", "hello");
        ModelRequest request = chat.modelRequest();

        // When
        for (int i = 0; i < 10; i++) {
            chat.passes(TurnMachine.LEASE.dividedBy(2));
            chat.result("cli:ann", new CallResult.CallProgress(request.callId(), 1, "w1"));
        }

        // Then
        assertEquals(List.of(), chat.read(Topics.MODEL_REQUESTS));
    }

    @Test
    @Tag("O5")
    @Tag("K18")
    void unreadableRecordBecomesADeadLetterUnchanged() {
        // Given
        var headers = new RecordHeaders();
        headers.add("who", "outsider".getBytes(StandardCharsets.UTF_8));
        byte[] broken = {9, 8, 7};

        // When
        chat.bytes(Topics.TURN_COMMANDS, "default/cli:ann", broken, headers);
        chat.says("cli:ann", "still there?");

        // Then
        var letter = chat.records(Topics.DEAD_LETTERS).getFirst();
        assertArrayEquals(broken, letter.value());
        assertEquals("outsider", new String(letter.headers().lastHeader("who").value(), StandardCharsets.UTF_8));
        assertEquals(
                "turn-commands",
                new String(letter.headers().lastHeader("dlq_topic").value(), StandardCharsets.UTF_8));
        chat.modelRequest();
    }

    @Test
    @Tag("O5")
    void headersWithoutValuesDoNotStopTheProcessor() {
        // Given
        var headers = new RecordHeaders();
        for (String name : List.of("traceparent", "ce_type", "ce_dataschema")) {
            headers.add(name, null);
        }

        // When
        chat.bytes(Topics.TURN_COMMANDS, "default/cli:ann", new byte[] {0, 0, 0, 0, 1, 2}, headers);

        // Then
        assertEquals(1, chat.records(Topics.DEAD_LETTERS).size());
    }

    @Test
    void recordWithAnInvalidKeyBecomesADeadLetter() {
        // When
        chat.bytes(Topics.TURN_COMMANDS, "no slash", new byte[] {0}, new RecordHeaders());

        // Then
        assertEquals(1, chat.records(Topics.DEAD_LETTERS).size());
    }

    @Test
    void publishesADoneDeltaAtTheEndOfATurn() {
        // Given
        chat.says("cli:ann", "hello");

        // When
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("hi"));

        // Then
        var last = chat.read(Topics.TURN_DELTAS).getLast();
        assertEquals(TurnDelta.Kind.DONE, last.kind());
        assertEquals("hi", last.text());
    }

    @Test
    @Tag("P50")
    @Tag("I67")
    void aModelThatCannotBeUsedEndsTheTurnWithAReadableReply() {
        // Given
        chat.says("cli:ann", "hello");
        ModelRequest request = chat.modelRequest();

        // When
        chat.result(
                "cli:ann",
                new CallResult.ModelFailed(
                        request.callId(), 1, ErrorCategory.AUTH, "HTTP 401 java.lang.Exception", null, List.of()));

        // Then
        var failed = (Outcome.Finished) chat.read(Topics.OUTCOMES).getLast();
        assertEquals(TurnState.FAILED, failed.state());
        assertTrue(failed.reply().startsWith("Sorry, "), failed.reply());
        assertTrue(!failed.reply().contains("Exception"), failed.reply());
        assertEquals(
                "HTTP 401 java.lang.Exception",
                chat.events(TurnEvent.TurnFailed.class).getFirst().detail());
    }

    @Test
    void oversizedRequestIsRetriedWithASummary() {
        // Given
        chat.says("cli:ann", "hello");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("x".repeat(7 << 20)));

        // When
        chat.says("cli:ann", "y".repeat(2 << 20));
        ModelRequest summary = chat.modelRequest();
        chat.modelSays("cli:ann", summary, Block.text("many an x"));

        // Then
        assertEquals(ModelRequest.Purpose.SUMMARY, summary.purpose());
        ModelRequest resumed = chat.modelRequest();
        assertEquals("many an x", resumed.summary());
        assertEquals(1, resumed.messages().size());
    }

    @Test
    void oversizedMessageFailsOnlyItsTurn() {
        // When
        chat.says("cli:ann", "y".repeat(9 << 20));

        // Then
        var failed = (Outcome.Finished) chat.read(Topics.OUTCOMES).getLast();
        assertEquals(ErrorCategory.CONTEXT_TOO_LONG, failed.error());
        chat.says("cli:bob", "hello");
        assertEquals(1, chat.modelRequest().messages().size());
    }

    @Test
    @Tag("K16")
    void aForkTakesTheContextAlong() {
        // Given
        chat.says("cli:ann", "remember 42");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("42"));
        var meta = new dev.parley.domain.protocol.CommandMeta(
                java.util.UUID.randomUUID(), TopologyFixture.HOST, TopologyFixture.START, "ann", null, null);

        // When
        chat.command(
                "cli:ann",
                new dev.parley.domain.protocol.TurnCommand.ForkSession(meta, RecordKey.of("cli:fork"), null));
        chat.says("cli:fork", "which number?");

        // Then
        assertEquals(
                List.of("remember 42", "42", "which number?"),
                chat.modelRequest().messages().stream()
                        .map(message -> message.text())
                        .toList());
    }

    @Test
    void forkIntoABusySessionIsRejected() {
        // Given
        chat.says("cli:ann", "remember 42");
        chat.modelSays("cli:ann", chat.modelRequest(), Block.text("42"));
        chat.says("cli:fork", "busy");
        chat.read(Topics.OUTCOMES);
        var meta = new dev.parley.domain.protocol.CommandMeta(
                java.util.UUID.randomUUID(), TopologyFixture.HOST, TopologyFixture.START, "ann", 3, null);
        var fork = new dev.parley.domain.protocol.TurnCommand.ForkSession(meta, RecordKey.of("cli:fork"), null);

        // When
        chat.command("cli:ann", fork);
        chat.command("cli:ann", fork);

        // Then
        var refused = new Outcome.Refused(
                RecordKey.of("cli:fork"), meta.commandId(), "session_busy", "the session to fork into is in use");
        assertEquals(List.of(refused, refused), chat.read(Topics.OUTCOMES));
    }

    private static Block call(String id, String text) {
        return new Block.ToolCall(id, "echo", "{\"text\":\"" + text + "\"}", null);
    }
}
