package dev.parley.server.canary;

import dev.parley.server.canary.CanaryClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Retries requests with exponential backoff while the server is unreachable or busy. */
final class PatientClient {
    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    private final CanaryClient client;
    private final Tally tally;

    PatientClient(CanaryClient client, Tally tally) {
        this.client = client;
        this.tally = tally;
    }

    /** A request. */
    @FunctionalInterface
    interface Request {
        /** @param within its timeout */
        Answer send(CanaryClient client, Duration within) throws IOException, InterruptedException;
    }

    /** Retries until an answer is final. @return empty at the deadline */
    Optional<Answer> ask(Deadline until, Request request) throws InterruptedException {
        return ask(until, request, _ -> true);
    }

    /**
     * The first answer that is enough.
     *
     * @return nothing where there was none until then
     */
    Optional<Answer> ask(Deadline until, Request request, Predicate<Answer> enough) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        do {
            Duration wanted = pause;
            try {
                Answer answer = request.send(client, until.left(REQUEST));
                if (!answer.isRetryable() && enough.test(answer)) {
                    return Optional.of(answer);
                }
                if (answer.isRetryable()) {
                    tally.retried(Integer.toString(answer.status()));
                    wanted = answer.pause() == null ? pause : answer.pause();
                }
            } catch (IOException e) {
                tally.retried("broken");
                client.refresh();
            }
            Thread.sleep(until.left(wanted));
            pause = longer(pause);
        } while (!until.isOver());
        return Optional.empty();
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
    }
}
