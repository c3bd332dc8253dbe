package dev.parley.server.sessionreplay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A recorded session of two turns, the second with a tool call; and models that answer it differently. */
class SandboxSessionTest {
    private static final RecordKey KEY = RecordKey.of("web:1");
    private static final UUID HOST = Ids.of("host");
    private static final Instant THEN = Instant.parse("2026-11-26T12:00:00Z");
    private static final Usage USAGE = new Usage(10, 5, 0, 0, 0, 1_000L);

    private final List<TurnEvent> events = new ArrayList<>();
    private final Deque<List<Block>> answers = new ArrayDeque<>();
    private final List<ModelRequest> requests = new ArrayList<>();
    private PermissionAction action = PermissionAction.ALLOW;
    private ReplayBounds bounds = new ReplayBounds(Instant.now().plusSeconds(20), 1_000, 1);

    SandboxSessionTest() {
        events.add(new SessionOpened(meta(null), "web", null, "old", null, null, 0, null, "ann", Actor.UNKNOWN));
        begin(1, "hello");
        says(1, 0, 1, Block.text("hi"));
        events.add(new TurnCompleted(meta(turn(1)), "hi", FinishReason.STOP, USAGE, "scripted/m", null));
        begin(2, "look it up");
        says(2, 0, 1, new Block.ToolCall("c1", "search", "{\"q\":1,\"n\":2}", null));
        UUID call = Ids.of("call");
        Instant deadline = THEN.plusSeconds(60);
        events.add(new ToolRequested(
                meta(turn(2)), call, 0, 0, 1, 1, 1, "c1", "search", "{\"q\":1,\"n\":2}", "", null, deadline, deadline));
        events.add(new ToolCalled(
                meta(turn(2)),
                call,
                0,
                0,
                1,
                1,
                1,
                "c1",
                "search",
                ToolStatus.COMPLETED,
                "found",
                List.of(),
                List.of()));
        says(2, 1, 3, Block.text("it is found"));
        events.add(new TurnCompleted(meta(turn(2)), "it is found", FinishReason.STOP, USAGE, "scripted/m", null));
    }

    private EventMeta meta(UUID turn) {
        return new EventMeta(HOST, KEY, KEY.sessionId(0), 0, events.size() + 1, turn, THEN);
    }

    private static UUID turn(int number) {
        return Ids.of("turn", number);
    }

    private void begin(int number, String text) {
        UUID turn = turn(number);
        events.add(new TurnAccepted(
                meta(turn),
                number,
                Origin.CHANNEL,
                "ref",
                MailboxMode.FOLLOWUP,
                "old",
                null,
                List.of(Block.text(text)),
                "ann",
                null,
                null,
                null,
                null,
                null,
                false,
                null,
                List.of(),
                false));
        events.add(new TurnStarted(meta(turn), "old", "v", THEN.plusSeconds(600), null));
    }

    private void says(int number, int step, int index, Block block) {
        UUID call = Ids.of("model", number, step);
        events.add(new ModelRequested(
                meta(turn(number)), call, step, 1, "scripted", "m", true, List.of(), THEN.plusSeconds(10)));
        events.add(new ModelCalled(
                meta(turn(number)),
                call,
                step,
                1,
                index,
                List.of(block),
                FinishReason.STOP,
                false,
                USAGE,
                "scripted",
                "m",
                null,
                null));
    }

    private static Agent agent() {
        return new Agent(
                        null,
                        "new",
                        "",
                        "",
                        AgentMode.ALL,
                        false,
                        "scripted",
                        "m2",
                        null,
                        "Be new.",
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        ThinkingLevel.NONE,
                        Agent.Limits.DEFAULT,
                        Map.of("memory", "user"),
                        List.of())
                .withContentVersion();
    }

    private Definitions definitions() {
        var rule = new PermissionRule(
                Ids.of("all"),
                RuleLevel.HOST,
                null,
                PermissionRule.ANY,
                PermissionRule.EVERYTHING,
                action,
                false,
                null,
                null);
        return new Definitions() {
            @Override
            public List<Agent> agents() {
                return List.of();
            }

            @Override
            public List<ToolSpec> tools() {
                return List.of(new ToolSpec("search", "", "{}", ToolEffect.AT_MOST_ONCE, Duration.ofMinutes(1)));
            }

            @Override
            public List<PermissionRule> permissions() {
                return List.of(rule);
            }
        };
    }

    private CallResult model(ModelRequest request, Duration patience) {
        requests.add(request);
        List<Block> blocks = answers.isEmpty() ? List.of(Block.text("done")) : answers.removeFirst();
        return new ModelAnswered(
                request.callId(), request.attempt(), blocks, FinishReason.STOP, USAGE, "scripted", "m2", null);
    }

    private ReplayedTurn replay() throws InterruptedException {
        var recording = new Recording(KEY, events);
        RecordedTurn turn = recording.turns().getLast();
        var sandbox = new SandboxSession(
                KEY,
                new ReplayDefinitions(definitions(), agent()),
                this::model,
                new RecordedResults(turn.answer().calls()),
                bounds,
                InstantSource.system());
        sandbox.importHistory(recording.before(turn), HOST);
        return sandbox.answer(turn, "new");
    }

    private static Block call(String tool, String arguments) {
        return new Block.ToolCall("x", tool, arguments, null);
    }

    @Test
    @Tag("O14")
    void recordedCallReturnsItsResultInAnyArgumentOrder() throws InterruptedException {
        // Given
        answers.add(List.of(call("search", "{ \"n\": 2, \"q\": 1 }")));
        answers.add(List.of(Block.text("I found it")));

        // When
        ReplayedTurn replayed = replay();

        // Then
        assertNull(replayed.stopped());
        assertEquals(TurnState.COMPLETED, replayed.answer().state());
        assertEquals("I found it", replayed.answer().reply());
        assertEquals("found", replayed.answer().calls().getFirst().content());
        assertEquals(0, replayed.notRecorded());
        assertEquals(2 * USAGE.tokens(), replayed.answer().usage().tokens());
        ModelRequest first = requests.getFirst();
        assertEquals("m2", first.agent().model());
        assertEquals(
                List.of("hello", "hi", "look it up"),
                first.messages().stream()
                        .map(message -> dev.parley.domain.content.Message.text(message.blocks()))
                        .toList());
        assertNull(first.memory());
    }

    @Test
    @Tag("O14")
    void unrecordedCallIsReportedAndCounted() throws InterruptedException {
        // Given
        answers.add(List.of(call("search", "{\"q\":2}")));

        // When
        ReplayedTurn replayed = replay();

        // Then
        assertEquals(
                RecordedResults.NOT_RECORDED,
                replayed.answer().calls().getFirst().content());
        assertEquals(1, replayed.notRecorded());
        assertEquals("done", replayed.answer().reply());
        List<String> text = TurnDiff.text(new TurnResult(
                "default/web:1",
                2,
                turn(2),
                "new@1",
                "look it up",
                new Recording(KEY, events).turns().getLast().answer(),
                replayed,
                null));
        assertTrue(text.contains("    - search {\"n\":2,\"q\":1} → completed"), text.toString());
        assertTrue(text.contains("    + search {\"q\":2} → not recorded"), text.toString());
        assertTrue(text.contains("    - it is found") && text.contains("    + done"), text.toString());
    }

    @Test
    void approvesCallsWithoutAskingAndCountsThem() throws InterruptedException {
        action = PermissionAction.ASK;
        answers.add(List.of(call("search", "{\"q\":1,\"n\":2}")));

        ReplayedTurn replayed = replay();

        assertEquals(1, replayed.approved());
        assertEquals(ToolStatus.COMPLETED, replayed.answer().calls().getFirst().status());
    }

    @Test
    void tokenLimitStopsTheTurn() throws InterruptedException {
        bounds = new ReplayBounds(Instant.now().plusSeconds(20), 20, 1);
        for (int i = 0; i < 10; i++) {
            answers.add(List.of(call("search", "{\"q\":" + i + "}")));
        }

        ReplayedTurn replayed = replay();

        assertEquals("the replay has used up its tokens", replayed.stopped());
        assertEquals(TurnState.CANCELLED, replayed.answer().state());
        assertEquals(2, requests.size());
    }

    @Test
    void reportsMissingEventsOfARecording() {
        events.remove(4);
        var failure = org.junit.jupiter.api.Assertions.assertThrows(
                IllegalArgumentException.class, () -> new Recording(KEY, events));
        assertTrue(String.valueOf(failure.getMessage()).contains("are missing before number 6"), failure.getMessage());
    }
}
