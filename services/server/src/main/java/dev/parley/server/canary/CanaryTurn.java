package dev.parley.server.canary;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.clock.Deadline;
import dev.parley.server.canary.CanaryClient.Answer;
import dev.parley.server.canary.SessionCheck.Sent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a canary: sends a message, awaits the end of the turn, and reads the reply from the messages of the
 * session.
 */
final class CanaryTurn {
    private static final int LAST_MESSAGES = 50;
    private static final Duration POLL = Duration.ofSeconds(20);

    private final CanaryPlan plan;
    private final RetryingClient api;
    private final TurnEvents events;
    private final String session;
    private final String nonce;
    private final String body;
    private final boolean byEvents;
    private final long start = System.nanoTime();

    /** @param session the path of its session */
    CanaryTurn(CanaryPlan plan, RetryingClient api, TurnEvents events, String session, String nonce, boolean byEvents) {
        this.plan = plan;
        this.api = api;
        this.events = events;
        this.session = session;
        this.nonce = nonce;
        this.body = plan.body(nonce);
        this.byEvents = byEvents;
    }

    /**
     * The result of a turn.
     *
     * @param sent the message, with the id of its turn once it is accepted
     * @param finding the fault, or null
     * @param reply time from the message to the notification of its end, or null without one
     * @param readable time from the message until its reply is among the messages of the session, or null
     */
    record Done(
            Sent sent,
            @Nullable CanaryFinding finding,
            @Nullable Duration reply,
            @Nullable Duration readable) {
        Result result() {
            return finding == null ? Result.ANSWERED : finding.result();
        }
    }

    Done run() throws InterruptedException {
        Optional<Answer> answer = api.send(
                Deadline.in(plan.sendWithin()), (client, timeout) -> client.post(turns(), body, nonce, timeout));
        if (answer.isEmpty()) {
            return failure(null, Result.UNSENT, "the server did not accept it in " + plan.sendWithin());
        }
        if (!answer.get().isSuccess()) {
            return failure(null, Result.REFUSED, answer.get().detail());
        }
        return onAccepted(answer.get().json().path("id").asText());
    }

    private Done onAccepted(String id) throws InterruptedException {
        Deadline deadline = Deadline.in(plan.within());
        TurnEnd end = byEvents ? followEvents(id, deadline) : poll(id, deadline);
        Duration reply = elapsed();
        if (end.finding() != null) {
            return new Done(new Sent(nonce, id), end.finding(), null, null);
        }
        ObservedSession.Turn turn = end.turn();
        if (turn == null) {
            return failure(id, Result.LOST, "turn %s has not ended in %s".formatted(id, plan.within()));
        }
        if (!turn.isCompleted()) {
            return failure(id, Result.FAILED, "turn %s is %s: %s".formatted(id, turn.state(), turn.error()));
        }
        var sent = new Sent(nonce, id);
        if (!Nonce.isOnlyOneIn(turn.reply(), nonce)) {
            return new Done(sent, SessionCheck.wrongAnswer(sent, turn.reply()), null, null);
        }
        return readBack(sent, end.notified() == null ? reply : end.notified(), deadline);
    }

    /**
     * The end of a turn.
     *
     * @param turn the ended turn, or null when there is none in time
     * @param notified time from the message to its end event, or null without one
     */
    private record TurnEnd(
            ObservedSession.@Nullable Turn turn,
            @Nullable CanaryFinding finding,
            @Nullable Duration notified) {
        static final TurnEnd NONE = new TurnEnd(null, null, null);

        static TurnEnd failed(CanaryFinding finding) {
            return new TurnEnd(null, finding, null);
        }
    }

    /** Long polling: repeats the request with its idempotency key, which must return the same turn. */
    private TurnEnd poll(String id, Deadline deadline) throws InterruptedException {
        Optional<Answer> last = api.send(
                deadline,
                (client, timeout) -> client.post(turns() + "?wait=" + wait(deadline), body, nonce, timeout),
                answer -> !answer.isSuccess() || hasEnded(answer) || !isTurn(answer, id));
        if (last.isEmpty()) {
            return TurnEnd.NONE;
        }
        if (!last.get().isSuccess()) {
            return TurnEnd.failed(
                    new CanaryFinding(Result.REFUSED, nonce, last.get().detail()));
        }
        if (!isTurn(last.get(), id)) {
            String other = last.get().json().path("id").asText();
            return TurnEnd.failed(new CanaryFinding(
                    Result.DUPLICATE, nonce, "its key stands for the turns %s and %s".formatted(id, other)));
        }
        return new TurnEnd(ObservedSession.Turn.of(last.get().json()), null, null);
    }

    private static String wait(Deadline deadline) {
        return Math.max(1, deadline.left(POLL).toSeconds()) + "s";
    }

    private static boolean isTurn(Answer answer, String id) {
        return answer.json().path("id").asText().equals(id);
    }

    private static boolean hasEnded(Answer answer) {
        return ObservedSession.Turn.of(answer.json()).hasEnded();
    }

    private TurnEnd followEvents(String id, Deadline deadline) throws InterruptedException {
        var read = TurnEvents.Progress.NONE;
        while (!deadline.passed()) {
            read = events.follow(session + "/events?turn=" + id, read.last(), deadline);
            Duration notified = read.ended() ? elapsed() : null;
            // Views lag behind events; without an end event the turn may still have ended.
            Deadline visible = read.ended() ? deadline : Deadline.in(deadline.left(Duration.ofSeconds(1)));
            Optional<Answer> turn = api.send(
                    visible,
                    (client, timeout) -> client.get(turns() + "/" + id, timeout),
                    answer -> answer.isSuccess() && hasEnded(answer));
            if (turn.isPresent()) {
                return new TurnEnd(ObservedSession.Turn.of(turn.get().json()), null, notified);
            }
        }
        return TurnEnd.NONE;
    }

    private Done readBack(Sent sent, Duration reply, Deadline deadline) throws InterruptedException {
        Optional<Answer> messages = api.send(
                deadline,
                (client, timeout) -> client.get(session + "/messages?order=desc&limit=" + LAST_MESSAGES, timeout),
                answer -> answer.isSuccess()
                        && SessionCheck.readBack(sent, messages(answer)).stream()
                                .noneMatch(finding -> finding.result() == Result.LOST));
        if (messages.isEmpty()) {
            return failure(sent.turn(), Result.LOST, "the messages of turn %s cannot be read".formatted(sent.turn()));
        }
        List<CanaryFinding> found = SessionCheck.readBack(sent, messages(messages.get()));
        return new Done(sent, found.isEmpty() ? null : found.getFirst(), reply, elapsed());
    }

    static List<ObservedSession.Message> messages(Answer answer) {
        return rows(answer, ObservedSession.Message::of);
    }

    static <T> List<T> rows(Answer answer, Function<JsonNode, T> row) {
        return StreamSupport.stream(answer.json().path("data").spliterator(), false)
                .map(row)
                .toList();
    }

    private String turns() {
        return session + "/turns";
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private Done failure(@Nullable String id, Result result, String detail) {
        return new Done(new Sent(nonce, id), new CanaryFinding(result, nonce, detail), null, null);
    }
}
