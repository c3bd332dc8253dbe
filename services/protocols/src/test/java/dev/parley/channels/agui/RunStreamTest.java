package dev.parley.channels.agui;

import static dev.parley.channels.agui.RunEventsTest.OWN;
import static dev.parley.channels.agui.RunEventsTest.TURN;
import static dev.parley.channels.agui.RunEventsTest.delta;
import static dev.parley.channels.agui.RunEventsTest.done;
import static dev.parley.channels.agui.RunEventsTest.tool;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.agui.RunInput.Resume;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.web.TurnFeed;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A turn streamed as a run; the tests supply its deltas. */
class RunStreamTest {
    private static final UUID ASKED = RunEventsTest.ASKED;

    private final LinkedBlockingQueue<TurnDelta> deltas = new LinkedBlockingQueue<>();
    private final List<JsonNode> events = new ArrayList<>();
    private final List<CallerCall> calls = new ArrayList<>();
    private final List<PendingApproval> approvals = new ArrayList<>();
    private int comments;

    private final TurnFeed feed = new TurnFeed() {
        @Override
        public Optional<TurnDelta> next(Duration timeout) throws InterruptedException {
            return Optional.ofNullable(deltas.poll(timeout.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override
        public Optional<Outcome.Finished> awaitEnd(Duration timeout) {
            return Optional.empty();
        }

        @Override
        public Pending pending() {
            return new Pending(calls, approvals, null);
        }
    };

    private List<String> run(RunInput input, Duration silence) throws InterruptedException {
        new RunStream(feed, TURN, input, new EventSink() {
                    @Override
                    public void event(ObjectNode event) {
                        events.add(event);
                    }

                    @Override
                    public void comment() {
                        if (++comments == 2) {
                            deltas.add(done("at last"));
                        }
                    }
                })
                .write("web:1", List.of(), silence);
        return events.stream().map(RunEventsTest::summary).toList();
    }

    private static RunInput input(List<Resume> resume, String... messages) {
        var runMessages = new ArrayList<RunMessage>();
        for (String message : messages) {
            runMessages.add(RunMessage.read(
                    RequestFields.of(ProtocolJson.read(message.getBytes(java.nio.charset.StandardCharsets.UTF_8)))));
        }
        return new RunInput("t", "r", runMessages, "", List.of(), resume);
    }

    @Test
    @Tag("D9")
    void sendsCommentsWhileARunIsSilent() throws InterruptedException {
        List<String> summaries = run(input(List.of()), Duration.ofMillis(20));

        assertEquals(2, comments);
        assertEquals("TEXT_MESSAGE_CONTENT at last", summaries.get(2));
        assertEquals(Duration.ofSeconds(15), TurnFollower.SILENCE);
    }

    @Test
    @Tag("D22")
    @Tag("D23")
    void streamsWhatTheClientLacksAfterASnapshotOfWhatItHas() throws InterruptedException {
        // Given
        deltas.add(delta(Kind.TOKEN, 0, 1, "let me see"));
        deltas.add(tool(Kind.TOOL_CALL, 0, "{}", "time", "c1"));
        deltas.add(tool(Kind.TOOL_RESULT, 0, "noon", "time", "c1"));
        var input = input(
                List.of(),
                "{\"id\":\"u1\",\"role\":\"user\",\"content\":\"when?\"}",
                "{\"id\":\"%s0\",\"role\":\"assistant\",\"content\":\"let me\"}".formatted(OWN));

        // When
        List<String> summaries = run(input, Duration.ofMillis(20));

        // Then
        assertEquals(
                List.of(
                        "RUN_STARTED",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT  see",
                        "TEXT_MESSAGE_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS {}",
                        "TOOL_CALL_END",
                        "TOOL_CALL_RESULT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT at last",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED"),
                summaries);
        JsonNode messages = events.get(1).get("messages");
        assertEquals("u1", messages.at("/0/id").asText());
        assertEquals("let me", messages.at("/1/content").asText());
        assertEquals(messages.at("/1/id"), events.get(2).get("messageId"));
    }

    @Test
    @Tag("B104")
    void textIsStreamedAlsoWhereTheTurnHasEnded() throws InterruptedException {
        // Given a turn that ended before the run with the result of a caller's tool began to follow it
        deltas.addAll(List.of(
                tool(Kind.TOOL_CALL, 0, "{}", "pick", "c1"),
                tool(Kind.CALLER_CALL, 0, "{}", "pick", ASKED.toString()),
                tool(Kind.TOOL_RESULT, 0, "blue", "pick", "c1"),
                delta(Kind.TOKEN, 1, 1, "It is"),
                delta(Kind.TOKEN, 1, 1, " blue."),
                done("It is blue.")));
        String id = OWN + "0-c1";

        // When
        List<String> summaries = run(
                input(
                        List.of(),
                        "{\"id\":\"u1\",\"role\":\"user\",\"content\":\"which?\"}",
                        "{\"id\":\"a1\",\"role\":\"assistant\",\"toolCalls\":[{\"id\":\"%s\"}]}".formatted(id),
                        "{\"id\":\"t1\",\"role\":\"tool\",\"toolCallId\":\"%s\",\"content\":\"blue\"}".formatted(id)),
                Duration.ofSeconds(30));

        // Then
        assertEquals(
                List.of(
                        "RUN_STARTED",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT It is",
                        "TEXT_MESSAGE_CONTENT  blue.",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED"),
                summaries);
    }

    @Test
    @Tag("D26")
    void runEndsAtACallersToolAndResumesWithItsResult() throws InterruptedException {
        // Given
        TurnDelta call = tool(Kind.TOOL_CALL, 0, "{\"n\":1}", "pick", "c1");
        TurnDelta waits = tool(Kind.CALLER_CALL, 0, "{\"n\":1}", "pick", ASKED.toString());
        deltas.addAll(List.of(call, waits));
        calls.add(new CallerCall(TURN, ASKED, 0, "c1", "pick", "{\"n\":1}", Instant.EPOCH));

        // When
        List<String> first = run(input(List.of()), Duration.ofSeconds(30));

        // Then
        assertEquals(
                List.of("RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS {\"n\":1}", "TOOL_CALL_END", "RUN_FINISHED"),
                first);
        assertEquals("success", events.getLast().at("/outcome/type").asText());

        // When
        events.clear();
        calls.clear();
        deltas.addAll(List.of(call, waits, tool(Kind.TOOL_RESULT, 0, "blue", "pick", "c1"), done("It is blue.")));
        String id = OWN + "0-c1";
        List<String> second = run(
                input(
                        List.of(),
                        "{\"id\":\"u1\",\"role\":\"user\",\"content\":\"which?\"}",
                        "{\"id\":\"a1\",\"role\":\"assistant\",\"toolCalls\":[{\"id\":\"%s\"}]}".formatted(id),
                        "{\"id\":\"t1\",\"role\":\"tool\",\"toolCallId\":\"%s\",\"content\":\"blue\"}".formatted(id)),
                Duration.ofSeconds(30));

        // Then: neither the call nor its result is told again
        assertEquals(
                List.of(
                        "RUN_STARTED",
                        "MESSAGES_SNAPSHOT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT It is blue.",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED"),
                second);
    }

    @Test
    @Tag("D24")
    void earlierApprovalRequestInterruptsARunOnANewInstance() throws InterruptedException {
        // Given
        approvals.add(new PendingApproval(TURN, ASKED, 0, "c1", "echo", "May I?", Instant.EPOCH));

        // When
        List<String> summaries = run(
                input(List.of(), "{\"id\":\"u1\",\"role\":\"user\",\"content\":\"say it\"}"), Duration.ofSeconds(30));

        // Then
        assertEquals(List.of("RUN_STARTED", "RUN_FINISHED"), summaries);
        JsonNode interrupt = events.getLast().at("/outcome/interrupts/0");
        assertEquals("May I?", interrupt.path("message").asText());
        assertEquals(OWN + "0-c1", interrupt.path("toolCallId").asText());
    }

    @Test
    @Tag("D24")
    void approvalInterruptsARunButNotTheRunThatAnswersIt() throws InterruptedException {
        // Given
        TurnDelta call = tool(Kind.TOOL_CALL, 0, "{}", "echo", "c1");
        TurnDelta question = tool(Kind.APPROVAL, 0, "May I?", "echo", ASKED.toString());
        deltas.addAll(List.of(call, question));

        // When
        run(input(List.of()), Duration.ofSeconds(30));
        JsonNode interrupted = events.getLast();
        events.clear();
        deltas.addAll(List.of(call, question, tool(Kind.TOOL_RESULT, 0, "hi", "echo", "c1"), done("done")));
        String id = interrupted.at("/outcome/interrupts/0/id").asText();
        List<String> summaries = run(input(List.of(new Resume(id, ApprovalAnswer.ONCE))), Duration.ofSeconds(30));

        // Then
        assertEquals("interrupt", interrupted.at("/outcome/type").asText());
        assertEquals(new Interrupt(ASKED, TURN).id(), id);
        assertEquals(
                List.of(
                        "RUN_STARTED",
                        "TOOL_CALL_RESULT",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT done",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED"),
                summaries);
        assertEquals("success", events.getLast().at("/outcome/type").asText());
    }
}
