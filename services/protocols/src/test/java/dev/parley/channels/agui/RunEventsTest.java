package dev.parley.channels.agui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.PendingApprovals;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A turn as AG-UI events. */
class RunEventsTest {
    static final UUID TURN = new UUID(0, 1);
    static final UUID ASKED = new UUID(0, 7);
    static final String OWN = RunEvents.idPrefix(TURN);
    private static final RunInput INPUT = new RunInput("t-1", "r-1", List.of(), "", List.of(), List.of());

    private final List<ObjectNode> sentEvents = new ArrayList<>();

    static TurnDelta delta(Kind kind, int step, int attempt, String text) {
        return TurnDelta.of(TURN, kind, step, attempt, text);
    }

    static TurnDelta tool(Kind kind, int step, String text, @Nullable String tool, String id) {
        return new TurnDelta(TURN, kind, step, 1, text, tool, id, null);
    }

    static TurnDelta done(String reply) {
        return new TurnDelta(TURN, Kind.DONE, 1, 0, reply, null, null, TurnState.COMPLETED);
    }

    private List<String> convert(ClientState clientState, TurnDelta... deltas) {
        var events = new RunEvents(INPUT, TURN, clientState);
        sentEvents.add(events.runStarted("web:1", List.of()));
        for (TurnDelta delta : deltas) {
            sentEvents.addAll(events.onDelta(delta));
        }
        sentEvents.addAll(events.onTurnEnd(new TurnEnd.Completed(new Usage(10, 5, 2, 4, 0, null))));
        return sentEvents.stream().map(RunEventsTest::summary).toList();
    }

    static String summary(JsonNode event) {
        return event.get("type").asText()
                + (event.has("delta") ? " " + event.get("delta").asText() : "");
    }

    @Test
    @Tag("D20")
    @Tag("D21")
    void closesEachMessageAndToolCallBeforeTheNext() {
        // When
        List<String> summaries = convert(
                ClientState.EMPTY,
                delta(Kind.STARTED, 0, 0, ""),
                delta(Kind.REASONING, 0, 1, "hm"),
                delta(Kind.TOKEN, 0, 1, "let me "),
                delta(Kind.TOKEN, 0, 1, "see"),
                tool(Kind.TOOL_CALL, 0, "{\"a\":1}", "time", "c1"),
                tool(Kind.TOOL_CALL, 0, "", "time", "c2"),
                tool(Kind.TOOL_RESULT, 0, "noon", "time", "c1"),
                tool(Kind.TOOL_RESULT, 0, "one", "time", "c2"),
                delta(Kind.PROGRESS, 0, 0, "writing"),
                delta(Kind.TOKEN, 1, 1, "it is noon"),
                done("it is noon"));

        // Then
        assertEquals(
                List.of(
                        "RUN_STARTED",
                        "REASONING_START",
                        "REASONING_MESSAGE_START",
                        "REASONING_MESSAGE_CONTENT hm",
                        "REASONING_MESSAGE_END",
                        "REASONING_END",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT let me ",
                        "TEXT_MESSAGE_CONTENT see",
                        "TEXT_MESSAGE_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS {\"a\":1}",
                        "TOOL_CALL_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS {}",
                        "TOOL_CALL_END",
                        "TOOL_CALL_RESULT",
                        "TOOL_CALL_RESULT",
                        "CUSTOM",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT it is noon",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED"),
                summaries);
        assertEquals("t-1", sentEvents.getFirst().get("threadId").asText());
        assertEquals("r-1", sentEvents.getLast().get("runId").asText());
        assertEquals(15, sentEvents.getLast().at("/usage/0/totalTokens").asInt());
        assertEquals("success", sentEvents.getLast().at("/outcome/type").asText());
        sentEvents.forEach(RunEventsTest::noNulls);
    }

    /** Events omit absent fields. */
    private static void noNulls(JsonNode json) {
        assertFalse(json.isNull());
        json.forEach(RunEventsTest::noNulls);
    }

    @Test
    @Tag("D22")
    void toolResultsHaveTheSameMessageIdsWhenTheyAreStreamedAgain() {
        // Given
        TurnDelta[] turn = {
            delta(Kind.TOKEN, 0, 1, "let me see"),
            tool(Kind.TOOL_CALL, 0, "{}", "time", "c1"),
            tool(Kind.TOOL_CALL, 0, "{}", "time", "c2"),
            tool(Kind.TOOL_RESULT, 0, "noon", "time", "c1"),
            tool(Kind.TOOL_RESULT, 0, "one", "time", "c2")
        };

        // When
        convert(ClientState.EMPTY, turn);
        var first = List.copyOf(sentEvents);
        sentEvents.clear();
        convert(ClientState.EMPTY, turn);

        // Then
        assertEquals(first, sentEvents);
        var results = first.stream()
                .filter(event -> event.get("type").asText().equals("TOOL_CALL_RESULT"))
                .map(event -> event.get("messageId").asText())
                .toList();
        assertEquals(2, Set.copyOf(results).size());
        assertEquals(OWN + "0-c2", first.get(first.size() - 2).get("toolCallId").asText());
    }

    @Test
    @Tag("D23")
    void omitsEventsThatTheClientAlreadyHas() {
        // Given
        var clientState =
                new ClientState(Map.of(OWN + "0", "let me see", OWN + "1", "it is"), Set.of(OWN + "0-c1"), Set.of());

        // When
        List<String> summaries = convert(
                clientState,
                delta(Kind.TOKEN, 0, 1, "let me see"),
                tool(Kind.TOOL_CALL, 0, "{}", "time", "c1"),
                tool(Kind.TOOL_RESULT, 0, "noon", "time", "c1"),
                delta(Kind.TOKEN, 1, 1, "it"),
                delta(Kind.TOKEN, 1, 1, " is noon"),
                done("it is noon"));

        // Then
        assertEquals(
                List.of(
                        "RUN_STARTED",
                        "TOOL_CALL_RESULT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT  noon",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED"),
                summaries);
        assertEquals(OWN + "1", sentEvents.get(2).get("messageId").asText());
    }

    @Test
    @Tag("D23")
    void replyWithoutDeltasContinuesTheMessageOfTheClient() {
        var clientState = new ClientState(Map.of(OWN + "3", "it is"), Set.of(), Set.of());

        convert(clientState, done("it is noon"));

        assertEquals(OWN + "3", sentEvents.get(1).get("messageId").asText());
        assertEquals(" noon", sentEvents.get(2).get("delta").asText());
    }

    @Test
    @Tag("D23")
    void startsANewMessageIfTheTextDiffersFromTheClients() {
        var clientState = new ClientState(Map.of(OWN + "0", "it was"), Set.of(), Set.of());

        convert(clientState, delta(Kind.TOKEN, 0, 1, "it "), delta(Kind.TOKEN, 0, 1, "is noon"), done("it is noon"));

        assertEquals(OWN + "0-again", sentEvents.get(1).get("messageId").asText());
        assertEquals("it is noon", sentEvents.get(2).get("delta").asText());
    }

    @Test
    @Tag("D20")
    void retryWithDifferentTextStartsANewMessage() {
        // When
        convert(
                ClientState.EMPTY,
                delta(Kind.TOKEN, 0, 1, "one two"),
                delta(Kind.RETRY, 0, 2, ""),
                delta(Kind.TOKEN, 0, 2, "one"),
                delta(Kind.TOKEN, 0, 2, " three"),
                done("one three"));

        // Then
        var ids = sentEvents.stream()
                .filter(event -> event.get("type").asText().equals("TEXT_MESSAGE_START"))
                .map(event -> event.get("messageId").asText())
                .toList();
        assertEquals(List.of(OWN + "0", OWN + "0-2"), ids);
        assertEquals(
                "one three", sentEvents.get(sentEvents.size() - 3).get("delta").asText());
    }

    @Test
    @Tag("D24")
    void interruptIdEncodesTheApprovalAndItsTurn() {
        // Given
        var approvals = new PendingApprovals();
        var events = new RunEvents(INPUT, TURN, ClientState.EMPTY);
        TurnDelta[] turn = {
            delta(Kind.TOKEN, 0, 1, "may I"),
            tool(Kind.TOOL_CALL, 0, "{}", "echo", "c1"),
            tool(Kind.APPROVAL, 0, "May I use echo?", "echo", ASKED.toString())
        };

        // When
        for (TurnDelta delta : turn) {
            approvals.apply(delta);
            events.onDelta(delta);
        }
        List<ObjectNode> last = events.runInterrupted(approvals.open());

        // Then
        assertEquals(1, last.size());
        JsonNode interrupt = last.getFirst().at("/outcome/interrupts/0");
        assertEquals("interrupt", last.getFirst().at("/outcome/type").asText());
        assertEquals("tool_call", interrupt.get("reason").asText());
        assertEquals(OWN + "0-c1", interrupt.get("toolCallId").asText());
        assertEquals("May I use echo?", interrupt.get("message").asText());
        assertEquals(
                "boolean",
                interrupt.at("/responseSchema/properties/approved/type").asText());
        assertEquals(
                new Interrupt(ASKED, TURN),
                Interrupt.parse(interrupt.get("id").asText()).orElseThrow());
        assertTrue(Interrupt.parse("int-1").isEmpty());
    }

    @Test
    @Tag("D25")
    void turnEndDeterminesTheLastEvent() {
        // Given
        var failed = new TurnEnd.Failed(Failure.of(ErrorCategory.BUDGET, "no money"), null);

        // When
        JsonNode error =
                new RunEvents(INPUT, TURN, ClientState.EMPTY).onTurnEnd(failed).getLast();
        JsonNode cancelled = new RunEvents(INPUT, TURN, ClientState.EMPTY)
                .onTurnEnd(new TurnEnd.Cancelled("", null))
                .getLast();
        JsonNode open = new RunEvents(INPUT, TURN, ClientState.EMPTY)
                .onTurnEnd(new TurnEnd.Open(null))
                .getLast();

        // Then
        assertEquals("RUN_ERROR", error.get("type").asText());
        assertEquals("insufficient_quota", error.get("code").asText());
        assertEquals("no money", error.get("message").asText());
        assertEquals("cancelled", cancelled.at("/outcome/type").asText());
        assertEquals("turn_open", open.get("code").asText());
    }

    @Test
    @Tag("B90")
    void idsOfCallsHaveAtMost64Characters() {
        UUID turn = new UUID(1, 2);
        String longest = RunEvents.callId(turn, 999_999, "call_" + "x".repeat(100));

        assertTrue((longest + "-result").length() <= 64, longest);
        assertEquals(longest, RunEvents.callId(turn, 999_999, "call_" + "x".repeat(100)));
        assertTrue(RunEvents.callId(turn, 1, "call_1").endsWith("-1-call_1"));
    }
}
