package dev.parley.platform.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskDispatchTest {
    private static final int FLOOD = 200;

    @TempDir
    Path state;

    private DispatchFixture task;

    @BeforeEach
    void open() {
        task = new DispatchFixture(state);
    }

    @AfterEach
    void close() {
        task.close();
    }

    // ---- requests

    @Test
    void callWithoutALocalWorkerGoesToItsTopic() {
        // When
        UUID call = task.asks("a call");

        // Then
        assertEquals(List.of(call), task.requestedByTopic);
        assertEquals(0, task.overflow());
    }

    @Test
    void repeatableCallIsDispatchedImmediately() {
        // Given
        task.serve();

        // When
        UUID call = task.asks("a call");

        // Then
        assertEquals(List.of(call), task.worker.calls);
        assertEquals(List.of(), task.requestedByTopic);
    }

    @Test
    void callBeyondCapacityGoesToItsTopicAndIsCounted() {
        // Given
        task.serve();
        task.worker.room = false;

        // When
        UUID call = task.asks("a call");

        // Then
        assertEquals(List.of(call), task.requestedByTopic);
        assertEquals(1, task.overflow());
    }

    @Test
    void nonRepeatableCallIsDispatchedAfterTheCommit() {
        // Given
        task.serve();
        task.worker.repeatable = false;
        UUID call = task.asks("a call");
        task.drains();
        assertEquals(List.of(), task.worker.calls);

        // When
        task.commits();

        // Then
        assertEquals(List.of(call), task.worker.calls);
    }

    @Test
    void nonRepeatableCallIsNotDispatchedAfterAnAbort() {
        // Given
        task.serve();
        task.worker.repeatable = false;
        task.asks("a call");

        // When
        task.aborts();
        task.commits();
        task.drains();

        // Then
        assertEquals(List.of(), task.worker.calls);
        assertEquals(List.of(), task.requestedByTopic);
    }

    @Test
    void callRejectedAfterTheCommitIsSentInTheNextTransaction() {
        // Given
        task.serve();
        task.worker.repeatable = false;
        UUID call = task.asks("a call");
        task.worker.room = false;

        // When
        task.commits();
        assertEquals(List.of(), task.requestedByTopic);
        task.drains();
        task.drains();

        // Then
        assertEquals(List.of(call), task.requestedByTopic);
    }

    // ---- the commit

    @Test
    void outcomesAreDeliveredAfterTheCommit() {
        // Given
        var delivered = new ArrayList<Outcome>();
        task.localDispatch.register(waiting(delivered));
        Outcome outcome = DispatchFixture.outcome("a command");
        boolean notified = task.tells(outcome);
        task.drains();
        assertEquals(List.of(), delivered);

        // When
        task.commits();

        // Then
        assertTrue(notified);
        assertEquals(List.of(outcome), delivered);
    }

    @Test
    void outcomesOfAnAbortAreNotDelivered() {
        // Given
        var delivered = new ArrayList<Outcome>();
        task.localDispatch.register(waiting(delivered));
        task.tells(DispatchFixture.outcome("a command"));

        // When
        task.aborts();
        task.commits();

        // Then
        assertEquals(List.of(), delivered);
    }

    private static OutcomeWaiters waiting(List<Outcome> delivered) {
        return new OutcomeWaiters() {
            @Override
            public boolean isAwaited(int partition, Outcome outcome) {
                return true;
            }

            @Override
            public void deliver(Outcome outcome) {
                delivered.add(outcome);
            }
        };
    }

    @Test
    void failingCommitHookDoesNotStopOthers() {
        // Given
        var ran = new ArrayList<String>();
        StreamThread loop = StreamThread.current();
        loop.afterCommit(() -> ran.add("before"));
        loop.afterCommit(() -> {
            throw new IllegalStateException("a hook that a test breaks");
        });
        loop.afterCommit(() -> ran.add("after"));

        // When
        loop.onCommitted();

        // Then
        assertEquals(List.of("before", "after"), ran);
    }

    // ---- answers

    @Test
    void duplicateResultIsForwardedTwice() {
        // Given
        task.serve();
        UUID call = task.asks("a call");

        // When
        task.answers(call);
        task.answers(call);
        task.drains();

        // Then
        assertEquals(List.of(call, call), task.processedAnswers);
    }

    @Test
    void takesAllOfManyPendingResults() {
        // Given
        task.serve();
        task.stepTime = Duration.ofMillis(1);
        UUID call = task.asks("a call");
        for (int i = 0; i < FLOOD; i++) {
            task.answers(call);
        }

        // When
        int rounds = 0;
        while (task.processedAnswers.size() < FLOOD && rounds < FLOOD) {
            task.drains();
            rounds++;
        }

        // Then
        assertEquals(Collections.nCopies(FLOOD, call), task.processedAnswers);
        assertTrue(rounds >= FLOOD / 10, "a round takes 5 ms; there were " + rounds);
        assertFalse(StreamThread.current().isBusy());
    }

    // ---- closing

    @Test
    void uncommittedResultsGoToTheirTopicOnClose() {
        // Given
        task.serve();
        UUID committed = task.asks("one");
        UUID drained = task.asks("two");
        UUID waiting = task.asks("three");
        task.answers(committed);
        task.drains();
        task.commits();
        task.answers(drained);
        task.drains();
        task.answers(waiting);

        // When
        task.aborts();
        task.close();

        // Then
        assertEquals(List.of(drained, waiting), task.answeredByTopic);
        assertFalse(StreamThread.current().isBusy());
    }

    @Test
    void resultAfterCloseIsNotAccepted() {
        // Given
        task.serve();
        UUID call = task.asks("a call");
        task.commits();
        task.close();

        // When
        boolean offered = task.answers(call);

        // Then
        assertFalse(offered, "it has to go by its topic");
        assertEquals(List.of(), task.answeredByTopic);
    }

    /** The step is repeated and may request another call under the same id. */
    @Test
    void resultOfAnUncommittedCallIsDropped() {
        // Given
        task.serve();
        UUID drained = task.asks("one");
        UUID late = task.asks("two");
        task.answers(drained);
        task.drains();

        // When
        task.aborts();
        task.close();
        boolean offered = task.answers(late);

        // Then
        assertTrue(offered, "it has not to go by its topic");
        assertEquals(List.of(), task.answeredByTopic);
        assertFalse(task.worker.receivers.get(late).isCommitted());
    }

    @Test
    void stoppedWorkerDoesNotBlockOtherResultsOnClose() {
        // Given
        task.serve();
        UUID broken = task.asks("one");
        UUID call = task.asks("two");
        task.commits();
        task.worker.receivers.get(broken).offer(DispatchFixture.answer(broken), List.of(), () -> {
            throw new IllegalStateException("the worker has stopped");
        });
        task.answers(call);

        // When
        task.close();

        // Then
        assertEquals(List.of(call), task.answeredByTopic);
    }
}
