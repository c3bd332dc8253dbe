package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ResponseJson.Status;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.web.FollowedTurn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A response whose turn runs: follows the turn on a thread of its own, with or without a client, records its events,
 * and stores what it became before any client is told.
 */
final class ResponseRun {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseRun.class);

    private final StoredResponse row;
    private final ResponseStore store;
    private final ResponseJson json;
    private final AnswerText text;
    private final ResponseEvents events;
    private final List<ObjectNode> recorded = new ArrayList<>();
    private @Nullable End end;

    /** @param response the whole response, as it is when the turn ends in this way */
    record End(TurnEnd turn, ObjectNode response) {}

    /** @param isJson whether the answer is JSON, which no other text may precede */
    ResponseRun(StoredResponse row, ResponseStore store, boolean isJson) {
        this.row = row;
        this.store = store;
        this.json = ResponseJson.of(row);
        this.text = new AnswerText(isJson, row.firstStep());
        this.events = new ResponseEvents(row.id(), json.open(Status.IN_PROGRESS));
    }

    /** The response while it runs. */
    ObjectNode open(Status status) {
        return json.open(status);
    }

    /** Follows the turn to its end, and closes it. */
    void follow(FollowedTurn followed) {
        try (var turn = followed) {
            append(events.openingEvents());
            TurnEnd last = new TurnFollower(turn, TurnFollower.SILENCE)
                    .follow(
                            TurnFollower.LONGEST,
                            new TextListener(text, json.showsReasoning() ? new ReasoningText(row.firstStep()) : null) {
                                @Override
                                void onText(Piece piece) {
                                    append(events.text(piece));
                                }

                                @Override
                                void onReasoning(Piece piece) {
                                    append(events.reasoning(piece));
                                }

                                @Override
                                public void onSilence() {}
                            });
            end(last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon();
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("turn", row.turnId()).setCause(e).log("response could not be followed to its end");
            abandon();
        }
    }

    private void end(TurnEnd last) {
        Status status = Status.of(last, text.isCut());
        var closing = new ArrayList<>(events.close(status, store.handOut(row.hostId(), row.key(), last)));
        ObjectNode response = json.end(
                last,
                row.own(last.usage()),
                text.isCut(),
                events.output(),
                Instant.now().getEpochSecond());
        if (status != Status.IN_PROGRESS) {
            response = store.complete(row, response, events.pieces());
        }
        closing.addAll(events.end(response, status, last.failure()));
        finish(closing, new End(last, response));
    }

    /** The turn goes on, but is not followed any more. */
    private void abandon() {
        var open = new TurnEnd.Open(null);
        Failure failure = open.failure();
        finish(List.of(events.error(failure)), new End(open, json.open(Status.IN_PROGRESS)));
    }

    private synchronized void append(List<ObjectNode> more) {
        recorded.addAll(more);
        notifyAll();
    }

    private synchronized void finish(List<ObjectNode> closing, End last) {
        if (end == null) {
            end = last;
            append(closing);
        }
    }

    /** The end of the response; empty after the timeout. */
    synchronized Optional<End> await(Duration timeout) throws InterruptedException {
        awaitUntil(() -> end != null, timeout);
        return Optional.ofNullable(end);
    }

    /**
     * The event with this number, once it is there.
     *
     * @return empty after the timeout, or after the last event
     */
    synchronized Optional<ObjectNode> event(int number, Duration timeout) throws InterruptedException {
        awaitUntil(() -> recorded.size() > number || end != null, timeout);
        return recorded.size() > number ? Optional.of(recorded.get(number)) : Optional.empty();
    }

    private synchronized void awaitUntil(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long millis = timeout.toMillis();
        while (!condition.getAsBoolean() && millis > 0) {
            wait(millis);
            millis = (deadline - System.nanoTime()) / 1_000_000;
        }
    }

    /** Whether the response has ended, and has no more events than this number. */
    synchronized boolean endsBefore(int number) {
        return end != null && recorded.size() <= number;
    }
}
