package dev.parley.server.canary;

import dev.parley.server.canary.CanaryClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Asks again while the server cannot be reached or wants to be left alone, as a loyal client does. */
final class PatientClient {
    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final CanaryClient client;
    private final Tally tally;

    PatientClient(CanaryClient client, Tally tally) {
        this.client = client;
        this.tally = tally;
    }

    /** A request. */
    @FunctionalInterface
    interface Request {
        /** @param within after so long it is given up */
        Answer send(CanaryClient client, Duration within) throws IOException, InterruptedException;
    }

    /** The first answer that is not for a moment only. @return nothing where there was none until then */
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
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
