package dev.parley.channels.a2a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.A2aVersion.State;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.web.TurnFeed;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Turns as A2A tasks, in both versions; the tests supply the deltas. */
class TasksTest {
    private static final UUID TURN = new UUID(0, 1);
    private static final ExternalTurnId NAME = new ExternalTurnId("web:1", TURN);
    private static final TaskJson OLD = new TaskJson(A2aVersion.V0_3);
    private static final TaskJson NEW = new TaskJson(A2aVersion.V1_0);

    private final LinkedBlockingQueue<TurnDelta> deltas = new LinkedBlockingQueue<>();
    private final List<JsonNode> events = new ArrayList<>();
    private Outcome.@Nullable Finished end;
    private int comments;

    private final TurnFeed feed = new TurnFeed() {
        @Override
        public Optional<TurnDelta> next(Duration timeout) throws InterruptedException {
            return Optional.ofNullable(deltas.poll(timeout.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override
        public Optional<Outcome.Finished> awaitEnd(Duration timeout) {
            return deltas.isEmpty() ? Optional.ofNullable(end) : Optional.empty();
        }
    };

    private static Outcome.Finished finished(TurnState state, String reply, @Nullable ErrorCategory error) {
        return new Outcome.Finished(
                RecordKey.of("web:1"),
                TURN,
                new UUID(0, 2),
                1,
                state,
                "hello",
                reply,
                null,
                error,
                "why",
                Usage.NONE,
                Instant.EPOCH,
                Instant.ofEpochMilli(1_500));
    }

    private static TurnDelta delta(Kind kind, int step, String text, @Nullable String tool, @Nullable String id) {
        return new TurnDelta(TURN, kind, step, 1, text, tool, id, null);
    }

    private static TurnDelta token(int step, String text) {
        return delta(Kind.TOKEN, step, text, null, null);
    }

    private FollowedTask task() {
        return new FollowedTask(feed, NAME, true, "hello");
    }

    private void stream(TaskJson json, FollowedTask task, boolean stops, Duration silence) throws InterruptedException {
        new TaskStream(task, json, stops, new EventSink() {
                    @Override
                    public void event(ObjectNode event) {
                        events.add(event);
                    }

                    @Override
                    public void comment() {
                        if (++comments == 2) {
                            done("at last");
                        }
                    }
                })
                .write(task.view(Duration.ZERO), true, silence);
    }

    private void done(String reply) {
        deltas.add(new TurnDelta(TURN, Kind.DONE, 1, 0, reply, null, null, TurnState.COMPLETED));
        end = finished(TurnState.COMPLETED, reply, null);
    }

    private static void noNulls(JsonNode json) {
        assertFalse(json.isNull());
        json.forEach(TasksTest::noNulls);
    }

    @Test
    @Tag("D31")
    void writesATaskInTheFormatOfEachVersion() {
        // Given
        TaskView completed = TaskView.of(NAME, finished(TurnState.COMPLETED, "hi", null));

        // When
        JsonNode old = OLD.task(completed, true);
        JsonNode now = NEW.task(completed, true);

        // Then
        assertEquals("task", old.get("kind").asText());
        assertEquals("completed", old.at("/status/state").asText());
        assertEquals("text", old.at("/artifacts/0/parts/0/kind").asText());
        assertEquals("user", old.at("/history/0/role").asText());
        assertFalse(now.has("kind"));
        assertEquals("TASK_STATE_COMPLETED", now.at("/status/state").asText());
        assertEquals("1970-01-01T00:00:01.500Z", now.at("/status/timestamp").asText());
        assertEquals("hi", now.at("/artifacts/0/parts/0/text").asText());
        assertEquals("ROLE_USER", now.at("/history/0/role").asText());
        assertEquals("web:1", now.get("contextId").asText());
        assertEquals(NAME, ExternalTurnId.parse(now.get("id").asText()).orElseThrow());
        assertFalse(NEW.task(completed, false).has("history"));
        assertEquals(now, NEW.wrappedTask(completed, true).get("task"));
        List.of(old, now).forEach(TasksTest::noNulls);
    }

    @Test
    @Tag("D31")
    void turnResultDeterminesTheTaskState() {
        // Given
        TaskView failed = TaskView.of(NAME, finished(TurnState.FAILED, "", ErrorCategory.BUDGET));
        TaskView cancelled = TaskView.of(NAME, finished(TurnState.CANCELLED, "", ErrorCategory.CANCELLED));

        // Then
        assertEquals(
                "TASK_STATE_FAILED", NEW.task(failed, true).at("/status/state").asText());
        assertEquals(
                "why", NEW.task(failed, true).at("/status/message/parts/0/text").asText());
        assertFalse(NEW.task(failed, true).has("artifacts"));
        assertEquals("canceled", OLD.task(cancelled, true).at("/status/state").asText());
        assertTrue(State.FAILED.isLast());
        assertFalse(State.INPUT_REQUIRED.isLast());
    }

    @Test
    @Tag("D32")
    void streamStartsWithTheTaskAndEndsWithTheReplyArtifact() throws InterruptedException {
        // Given
        deltas.addAll(List.of(
                delta(Kind.STARTED, 0, "", null, null),
                token(0, "let me "),
                token(0, "see"),
                delta(Kind.TOOL_CALL, 0, "{}", "time", "c1"),
                delta(Kind.TOOL_RESULT, 0, "noon", "time", "c1"),
                delta(Kind.PROGRESS, 0, "writing", null, null),
                token(1, "it is noon")));
        done("it is noon");

        // When
        stream(NEW, task(), true, Duration.ofSeconds(30));

        // Then
        assertEquals(
                "TASK_STATE_SUBMITTED",
                events.getFirst().at("/task/status/state").asText());
        assertEquals(
                "TASK_STATE_WORKING",
                events.get(1).at("/statusUpdate/status/state").asText());
        var artifact = new StringBuilder();
        for (JsonNode event : events) {
            JsonNode update = event.path("artifactUpdate");
            if (!update.isMissingNode()) {
                assertEquals("reply", update.at("/artifact/artifactId").asText());
                if (!update.get("append").asBoolean()) {
                    artifact.setLength(0);
                }
                artifact.append(update.at("/artifact/parts/0/text").asText());
            }
        }
        assertEquals("it is noon", artifact.toString());
        assertTrue(events.get(events.size() - 2).at("/artifactUpdate/lastChunk").asBoolean());
        assertEquals(
                "TASK_STATE_COMPLETED",
                events.getLast().at("/statusUpdate/status/state").asText());
        assertTrue(events.toString().contains("writing"));
        events.forEach(TasksTest::noNulls);
    }

    @Test
    @Tag("D9")
    @Tag("D32")
    void sendsCommentsWhileATaskIsSilent() throws InterruptedException {
        stream(OLD, task(), true, Duration.ofMillis(20));

        assertEquals(2, comments);
        assertEquals("task", events.getFirst().get("kind").asText());
        assertEquals("status-update", events.getLast().get("kind").asText());
        assertTrue(events.getLast().get("final").asBoolean());
        assertEquals(
                "artifact-update", events.get(events.size() - 2).get("kind").asText());
    }

    @Test
    @Tag("D33")
    void pendingApprovalEndsTheStreamWithInputRequired() throws InterruptedException {
        // Given
        deltas.add(delta(Kind.TOOL_CALL, 0, "{}", "echo", "c1"));
        deltas.add(delta(Kind.APPROVAL, 0, "May I use echo?", "echo", "q1"));
        FollowedTask task = task();

        // When
        stream(NEW, task, true, Duration.ofSeconds(30));

        // Then
        JsonNode status = events.getLast().at("/statusUpdate/status");
        assertEquals("TASK_STATE_INPUT_REQUIRED", status.get("state").asText());
        assertEquals("May I use echo?", status.at("/message/parts/0/text").asText());
        assertEquals(
                "q1", status.at("/message/parts/1/data/questions/0/question").asText());
        assertEquals(State.INPUT_REQUIRED, task.view(Duration.ZERO).state());
        assertEquals(
                "data",
                OLD.task(task.view(Duration.ZERO), true)
                        .at("/status/message/parts/1/kind")
                        .asText());
    }

    @Test
    @Tag("D33")
    void subscriberGetsThePendingApprovalAndLaterEvents() throws InterruptedException {
        // Given
        deltas.addAll(List.of(token(0, "let me"), delta(Kind.TOOL_CALL, 0, "{}", "echo", "c1")));
        FollowedTask task = task();
        task.catchUp();
        deltas.add(delta(Kind.APPROVAL, 0, "May I?", "echo", "q1"));
        deltas.add(delta(Kind.TOOL_RESULT, 0, "hi", "echo", "c1"));
        done("done");

        // When
        stream(OLD, task, false, Duration.ofSeconds(30));

        // Then
        List<String> states = events.stream()
                .filter(event -> event.has("status"))
                .map(event -> event.at("/status/state").asText())
                .toList();
        assertEquals(List.of("working", "input-required", "working", "completed"), states);
        assertEquals("let me", events.get(1).at("/artifact/parts/0/text").asText());
        assertFalse(events.get(2).get("final").asBoolean());
        assertNull(task.view(Duration.ZERO).statusText());
    }

    @Test
    @Tag("D32")
    void endedTaskIsStreamedAtOnce() throws InterruptedException {
        end = finished(TurnState.COMPLETED, "hi", null);

        stream(NEW, task(), true, Duration.ofSeconds(30));

        assertEquals(2, events.size());
        assertEquals(
                "hi", events.getFirst().at("/task/artifacts/0/parts/0/text").asText());
        assertEquals(
                "TASK_STATE_COMPLETED",
                events.getLast().at("/statusUpdate/status/state").asText());
    }
}
