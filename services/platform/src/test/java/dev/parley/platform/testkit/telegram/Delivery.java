package dev.parley.platform.testkit.telegram;

import java.time.Instant;

/**
 * An attempt to push an update.
 *
 * @param attempt from 1
 * @param status of HTTP, 0 without an answer
 */
public record Delivery(Update update, int attempt, int status, Instant at) {
    /** Whether the receiver has taken it. */
    public boolean taken() {
        return status / 100 == 2;
    }
}
