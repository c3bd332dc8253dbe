package dev.parley.control.people;

import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Delays attempts instead of refusing them, so that whoever knows the password gets in while others guess. A few
 * attempts of each subject wait at once, which bounds the rate of guesses and the requests held.
 */
final class Slowdown {
    private static final int MAX_PER_SUBJECT = 20;
    private static final int MAX = 500;

    private final Map<String, Integer> waiting = new HashMap<>();
    private int total;

    /**
     * Waits.
     *
     * @param subjects whom the attempt belongs to, such as a network
     * @throws ApiException 429 where too many attempts wait
     */
    void pause(Duration delay, List<String> subjects) {
        if (!delay.isPositive()) {
            return;
        }
        enter(delay, subjects);
        try {
            Thread.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "This instance is shutting down.");
        } finally {
            leave(subjects);
        }
    }

    private synchronized void enter(Duration delay, List<String> subjects) {
        if (total >= MAX
                || subjects.stream().anyMatch(subject -> waiting.getOrDefault(subject, 0) >= MAX_PER_SUBJECT)) {
            throw SignInThrottle.tooMany("Too many attempts: wait, then try again.", delay);
        }
        total++;
        subjects.forEach(subject -> waiting.merge(subject, 1, Integer::sum));
    }

    private synchronized void leave(List<String> subjects) {
        total--;
        new ArrayList<>(subjects)
                .forEach(subject -> waiting.computeIfPresent(subject, (s, n) -> n == 1 ? null : n - 1));
    }
}
