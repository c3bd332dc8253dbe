package dev.parley.channels.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.web.TurnFeed;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.http.EventStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Following a turn; the tests supply its deltas. */
class TurnFollowerTest {
    private static final UUID TURN = new UUID(0, 1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final LinkedBlockingQueue<TurnDelta> deltas = new LinkedBlockingQueue<>();
    private final CompletableFuture<Outcome.Finished> end = new CompletableFuture<>();
    private final List<CallerCall> calls = new ArrayList<>();
    private int queries;
    private boolean broken;

    private final TurnFeed feed = new TurnFeed() {
        @Override
        public Optional<TurnDelta> next(Duration timeout) throws InterruptedException {
            if (broken) {
                throw new EventStream.EndedException();
            }
            return Optional.ofNullable(deltas.poll(timeout.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override
        public Optional<Outcome.Finished> awaitEnd(Duration timeout) throws InterruptedException {
            try {
                return Optional.of(end.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
            } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
                return Optional.empty();
            }
        }

        @Override
        public Pending pending() {
            queries++;
            return new Pending(calls, List.of(), null);
        }
    };

    private static final class RecordingListener extends TextListener {
        final List<String> texts = new ArrayList<>();
        private final Runnable onSilence;

        RecordingListener(Runnable onSilence) {
            super(new AnswerText(false));
            this.onSilence = onSilence;
        }

        @Override
        void onText(Piece piece) {
            texts.add(piece.text());
        }

        @Override
        public void onSilence() {
            texts.add("…");
            onSilence.run();
        }
    }

    private static Outcome.Finished finished(TurnState state, String reply, @Nullable ErrorCategory error) {
        return new Outcome.Finished(
                RecordKey.of("web:1"),
                TURN,
                new UUID(0, 2),
                1,
                state,
                "",
                reply,
                null,
                error,
                "why",
                Usage.NONE,
                Instant.EPOCH,
                Instant.EPOCH);
    }

    private TurnEnd follow(Duration silence, Duration timeout, RecordingListener listener) throws InterruptedException {
        return new TurnFollower(feed, silence).follow(timeout, listener);
    }

    @Test
    @Tag("D9")
    void signalsSilencePeriodically() throws InterruptedException {
        // Given
        int[] silences = {0};
        var listener = new RecordingListener(() -> {
            if (++silences[0] == 3) {
                deltas.add(AnswersTest.done("at last"));
                end.complete(finished(TurnState.COMPLETED, "at last", null));
            }
        });

        // When
        TurnEnd turnEnd = follow(Duration.ofMillis(20), LONG, listener);

        // Then
        assertInstanceOf(TurnEnd.Completed.class, turnEnd);
        assertEquals(List.of("…", "…", "…", "at last"), listener.texts);
        assertEquals(Duration.ofSeconds(15), TurnFollower.SILENCE);
    }

    @Test
    @Tag("D8")
    void timeoutReportsThePendingApproval() throws InterruptedException {
        // Given
        deltas.add(new TurnDelta(TURN, Kind.APPROVAL, 0, 1, "may I?", "echo", "question-1", null));

        // When
        TurnEnd turnEnd = follow(LONG, Duration.ofMillis(50), new RecordingListener(() -> {}));

        // Then
        var open = assertInstanceOf(TurnEnd.Open.class, turnEnd);
        assertEquals(504, open.failure().status());
        assertEquals("approval_required", open.failure().code());
        assertTrue(open.failure().message().contains("question-1"));
    }

    @Test
    @Tag("D10")
    void callersToolCallsAreHandedOver() throws InterruptedException {
        // Given
        calls.add(new CallerCall(TURN, new UUID(0, 9), 0, "c1", "pick", "{}", Instant.EPOCH));
        deltas.add(TurnDelta.of(TURN, Kind.TOKEN, 0, 1, "let me see"));
        deltas.add(new TurnDelta(TURN, Kind.CALLER_CALL, 0, 0, "{}", "pick", "call", null));
        var listener = new RecordingListener(() -> {});

        // When
        TurnEnd turnEnd = follow(LONG, LONG, listener);

        // Then
        assertEquals(calls, assertInstanceOf(TurnEnd.Called.class, turnEnd).calls());
        assertEquals(List.of("let me see"), listener.texts);
    }

    @Test
    @Tag("D10")
    void answeredCallersToolCallDoesNotEndTheTurn() throws InterruptedException {
        // Given
        deltas.add(new TurnDelta(TURN, Kind.CALLER_CALL, 0, 0, "{}", "pick", "call", null));
        deltas.add(AnswersTest.done("blue"));
        end.complete(finished(TurnState.COMPLETED, "blue", null));

        // When
        TurnEnd turnEnd = follow(LONG, LONG, new RecordingListener(() -> {}));

        // Then
        assertInstanceOf(TurnEnd.Completed.class, turnEnd);
        assertEquals(1, queries);
    }

    @Test
    @Tag("D10")
    void queriesASilentTurnOnce() throws InterruptedException {
        // When
        follow(LONG, Duration.ofMillis(2_200), new RecordingListener(() -> {}));

        // Then
        assertEquals(1, queries);
    }

    @Test
    @Tag("D7")
    void finishedTurnYieldsItsReply() throws InterruptedException {
        // Given
        end.complete(finished(TurnState.COMPLETED, "the reply", null));
        var listener = new RecordingListener(() -> {});

        // When
        follow(LONG, LONG, listener);

        // Then
        assertEquals(List.of("the reply"), listener.texts);
    }

    @Test
    @Tag("D8")
    void reportsTheEndWithoutDeltas() throws InterruptedException {
        // Given
        broken = true;
        end.complete(finished(TurnState.CANCELLED, "", ErrorCategory.CANCELLED));

        // When
        TurnEnd turnEnd = follow(LONG, LONG, new RecordingListener(() -> {}));

        // Then
        var cancelled = assertInstanceOf(TurnEnd.Cancelled.class, turnEnd);
        assertEquals("turn_cancelled", cancelled.failure().code());
        assertEquals("The turn was cancelled: why.", cancelled.failure().message());
    }

    @Test
    @Tag("D6")
    void mapsTheErrorCategoryToAFailureCode() throws InterruptedException {
        // Given
        deltas.add(new TurnDelta(TURN, Kind.ERROR, 0, 0, "Sorry", null, null, TurnState.FAILED));
        end.complete(finished(TurnState.FAILED, "Sorry", ErrorCategory.CONTEXT_TOO_LONG));

        // When
        TurnEnd turnEnd = follow(LONG, LONG, new RecordingListener(() -> {}));

        // Then
        var failed = assertInstanceOf(TurnEnd.Failed.class, turnEnd);
        assertEquals("context_length_exceeded", failed.failure().code());
        assertEquals(400, failed.failure().status());
    }
}
