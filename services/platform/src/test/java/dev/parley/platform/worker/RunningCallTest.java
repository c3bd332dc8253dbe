package dev.parley.platform.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.dispatch.ResultReceiver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RunningCallTest {
    private static final UUID ID = Ids.of("a call");
    private static final CallResult DONE = new ToolAnswered(ID, 1, ToolStatus.COMPLETED, "done");

    private final Cancellation cancellation = new Cancellation(Deadline.in(Duration.ofSeconds(60)));

    @Test
    void committedCallSendsItsResultToTheLastRequester() {
        // Given
        var first = new Receiver(true);
        var last = new Receiver(false);
        RunningCall call = call(first);

        // When
        boolean adopted = call.adopt(next(2), last);
        call.offer(DONE, () -> {});

        // Then
        assertTrue(adopted);
        assertFalse(cancellation.requested());
        assertEquals(List.of(), first.answers);
        assertEquals(List.of(2), last.answers.stream().map(CallResult::attempt).toList());
    }

    /** The step may have been aborted, and the same id may now denote another call. */
    @Test
    void cancelsACallOfAnUncommittedStepWithoutAResult() {
        // Given
        RunningCall call = call(new Receiver(false));

        // When
        boolean adopted = call.adopt(next(1), new Receiver(false));

        // Then
        assertFalse(adopted);
        assertTrue(cancellation.requested());
        assertFalse(call.claim(), "nobody answers for it");
    }

    @Test
    void adoptsACallOfItsTopic() {
        // Given
        RunningCall call = call(null);

        // When
        boolean adopted = call.adopt(next(2), new Receiver(false));

        // Then
        assertTrue(adopted);
    }

    @Test
    @Tag("B121")
    void aCallEndsAfterTheTimeThatItRanWhateverTheClockSays() {
        // Given
        RunningCall call = call(null);

        // Then
        assertFalse(call.ran(TimeUnit.SECONDS.toNanos(59)));
        assertTrue(call.ran(TimeUnit.SECONDS.toNanos(2)));

        // When
        call.adopt(next(2), null);

        // Then
        assertFalse(call.ran(TimeUnit.SECONDS.toNanos(50)));
    }

    private static WorkerRequest.Call next(int attempt) {
        Instant deadline = Instant.now().plusSeconds(60);
        return new WorkerRequest.Call(ID, attempt, deadline, deadline);
    }

    private RunningCall call(@Nullable ResultReceiver answers) {
        Instant deadline = Instant.now().plusSeconds(60);
        return new RunningCall(
                new WorkerRequest.Call(ID, 1, deadline, deadline),
                new CallContext("default/cli:ann", null, cancellation),
                new CallHandler.Execution() {
                    @Override
                    public CallResult run() {
                        return DONE;
                    }

                    @Override
                    public CallResult failure(ErrorCategory category, String detail) {
                        return new ToolAnswered(ID, 1, ToolStatus.ERROR, "error: " + detail);
                    }
                },
                0,
                answers,
                () -> {});
    }

    private record Receiver(boolean isCommitted, List<CallResult> answers) implements ResultReceiver {
        Receiver(boolean committed) {
            this(committed, new ArrayList<>());
        }

        @Override
        public boolean offer(CallResult answer, List<TurnDelta> unshown, Runnable byTopic) {
            return answers.add(answer);
        }
    }
}
