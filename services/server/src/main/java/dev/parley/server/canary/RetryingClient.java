package dev.parley.server.canary;

import dev.parley.platform.clock.Deadline;
import dev.parley.server.canary.CanaryClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Retries requests with exponential backoff while the server is unreachable or busy. */
final class RetryingClient {
    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    private final CanaryClient client;
    private final CanaryStatistics statistics;

    RetryingClient(CanaryClient client, CanaryStatistics statistics) {
        this.client = client;
        this.statistics = statistics;
    }

    @FunctionalInterface
    interface Request {
        /** @param timeout of the request */
        Answer send(CanaryClient client, Duration timeout) throws IOException, InterruptedException;
    }

    /** Sends a request until its answer is not retryable; returns empty at the deadline. */
    Optional<Answer> send(Deadline deadline, Request request) throws InterruptedException {
        return send(deadline, request, _ -> true);
    }

    /** Sends a request until its answer is not retryable and sufficient; returns empty at the deadline. */
    Optional<Answer> send(Deadline deadline, Request request, Predicate<Answer> isSufficient)
            throws InterruptedException {
        Duration backoff = FIRST_PAUSE;
        do {
            Duration pause = backoff;
            try {
                Answer answer = request.send(client, deadline.left(REQUEST));
                if (!answer.isRetryable() && isSufficient.test(answer)) {
                    return Optional.of(answer);
                }
                if (answer.isRetryable()) {
                    statistics.countRetry(Integer.toString(answer.status()));
                    pause = answer.retryAfter() == null ? backoff : answer.retryAfter();
                }
            } catch (IOException e) {
                statistics.countRetry("broken");
                client.refresh();
            }
            Thread.sleep(deadline.left(pause));
            backoff = longer(backoff);
        } while (!deadline.passed());
        return Optional.empty();
    }

    private static Duration longer(Duration backoff) {
        Duration doubled = backoff.multipliedBy(2);
        return doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
    }
}
