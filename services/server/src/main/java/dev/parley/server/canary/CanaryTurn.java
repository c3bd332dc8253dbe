package dev.parley.server.canary;

import com.fasterxml.jackson.databind.JsonNode;
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
    private final PatientClient api;
    private final TurnEvents events;
    private final String session;
    private final String nonce;
    private final String body;
    private final boolean byEvents;
    private final long begun = System.nanoTime();

    /** @param session the path of its session */
    CanaryTurn(CanaryPlan plan, PatientClient api, TurnEvents events, String session, String nonce, boolean byEvents) {
        this.plan = plan;
        this.api = api;
        this.events = events;
        this.session = session;
        this.nonce = nonce;
        this.body = plan.body(nonce);
        this.byEvents = byEvents;
    }

    /**
     * What became of it.
     *
     * @param sent the message, with the turn's id where there is one
     * @param finding what is wrong, or null
     * @param reply from the message to the news of its end, or null where that did not come
     * @param readable from the message to its reply among the session's messages, or null as well
     */
    record Done(
            Sent sent,
            @Nullable Finding finding,
            @Nullable Duration reply,
            @Nullable Duration readable) {
        Result result() {
            return finding == null ? Result.ANSWERED : finding.result();
        }
    }

    Done run() throws InterruptedException {
        Optional<Answer> answer =
                api.ask(Deadline.in(plan.sendWithin()), (client, within) -> client.post(turns(), body, nonce, within));
        if (answer.isEmpty()) {
            return failed(null, Result.UNSENT, "the server did not accept it in " + plan.sendWithin());
        }
        if (!answer.get().isSuccess()) {
            return failed(null, Result.REFUSED, answer.get().detail());
        }
        return accepted(answer.get().json().path("id").asText());
    }

    private Done accepted(String id) throws InterruptedException {
        Deadline deadline = Deadline.in(plan.within());
        Ended ended = byEvents ? byEvents(id, deadline) : byPolling(id, deadline);
        Duration reply = since();
        if (ended.finding() != null) {
            return new Done(new Sent(nonce, id), ended.finding(), null, null);
        }
        SessionReading.Turn turn = ended.turn();
        if (turn == null) {
            return failed(id, Result.LOST, "turn %s has not ended in %s".formatted(id, plan.within()));
        }
        if (!turn.isCompleted()) {
            return failed(id, Result.FAILED, "turn %s is %s: %s".formatted(id, turn.state(), turn.error()));
        }
        var sent = new Sent(nonce, id);
        if (!Nonce.isOnlyOneIn(turn.reply(), nonce)) {
            return new Done(sent, SessionCheck.wrong(sent, turn.reply()), null, null);
        }
        return readBack(sent, ended.told() == null ? reply : ended.told(), deadline);
    }

    /** @param told when its end event arrived, or null */
    private record Ended(
            SessionReading.@Nullable Turn turn,
            @Nullable Finding finding,
            @Nullable Duration told) {}

    /** Repeats the request with its idempotency key, and waits: it must be the same turn. */
    private Ended byPolling(String id, Deadline deadline) throws InterruptedException {
        Optional<Answer> last = api.ask(
                deadline,
                (client, within) -> client.post(turns() + "?wait=" + wait(deadline), body, nonce, within),
                answer -> !answer.isSuccess() || hasEnded(answer) || !isTurn(answer, id));
        if (last.isEmpty()) {
            return new Ended(null, null, null);
        }
        if (!last.get().isSuccess()) {
            return new Ended(null, new Finding(Result.REFUSED, nonce, last.get().detail()), null);
        }
        if (!isTurn(last.get(), id)) {
            String other = last.get().json().path("id").asText();
            return new Ended(
                    null,
                    new Finding(Result.DUPLICATE, nonce, "its key stands for the turns %s and %s".formatted(id, other)),
                    null);
        }
        return new Ended(SessionReading.Turn.of(last.get().json()), null, null);
    }

    private static String wait(Deadline deadline) {
        return Math.max(1, deadline.left(POLL).toSeconds()) + "s";
    }

    private static boolean isTurn(Answer answer, String id) {
        return answer.json().path("id").asText().equals(id);
    }

    private static boolean hasEnded(Answer answer) {
        return SessionReading.Turn.of(answer.json()).hasEnded();
    }

    private Ended byEvents(String id, Deadline deadline) throws InterruptedException {
        var read = new TurnEvents.Read(false, null);
        while (!deadline.isOver()) {
            read = events.follow(session + "/events?turn=" + id, read.last(), deadline);
            Duration told = read.ended() ? since() : null;
            // What was told may not be in the tables yet; what was not told may be there all the same.
            Deadline look = read.ended() ? deadline : Deadline.in(deadline.left(Duration.ofSeconds(1)));
            Optional<Answer> turn = api.ask(
                    look,
                    (client, within) -> client.get(turns() + "/" + id, within),
                    answer -> answer.isSuccess() && hasEnded(answer));
            if (turn.isPresent()) {
                return new Ended(SessionReading.Turn.of(turn.get().json()), null, told);
            }
        }
        return new Ended(null, null, null);
    }

    private Done readBack(Sent sent, Duration reply, Deadline deadline) throws InterruptedException {
        Optional<Answer> messages = api.ask(
                deadline,
                (client, within) -> client.get(session + "/messages?order=desc&limit=" + LAST_MESSAGES, within),
                answer -> answer.isSuccess()
                        && SessionCheck.readBack(sent, messages(answer)).stream()
                                .noneMatch(finding -> finding.result() == Result.LOST));
        if (messages.isEmpty()) {
            return failed(sent.turn(), Result.LOST, "the messages of turn %s cannot be read".formatted(sent.turn()));
        }
        List<Finding> found = SessionCheck.readBack(sent, messages(messages.get()));
        return new Done(sent, found.isEmpty() ? null : found.getFirst(), reply, since());
    }

    static List<SessionReading.Message> messages(Answer answer) {
        return rows(answer, SessionReading.Message::of);
    }

    static <T> List<T> rows(Answer answer, Function<JsonNode, T> row) {
        return StreamSupport.stream(answer.json().path("data").spliterator(), false)
                .map(row)
                .toList();
    }

    private String turns() {
        return session + "/turns";
    }

    private Duration since() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private Done failed(@Nullable String id, Result result, String detail) {
        return new Done(new Sent(nonce, id), new Finding(result, nonce, detail), null, null);
    }
}
