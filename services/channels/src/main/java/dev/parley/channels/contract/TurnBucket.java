package dev.parley.channels.contract;

import java.time.Duration;

/** Token bucket of turns per minute, with a burst of one minute. For one thread. */
final class TurnBucket {
    private static final double MINUTE = 60e9;

    private double tokens;
    private long updatedNanos;

    TurnBucket(int perMinute, long now) {
        tokens = perMinute;
        updatedNanos = now;
    }

    /** The wait until a turn may start at this rate; zero where it may start now. */
    Duration pause(int perMinute, long now) {
        tokens = Math.min(perMinute, tokens + (now - updatedNanos) * (perMinute / MINUTE));
        updatedNanos = now;
        return tokens >= 1 ? Duration.ZERO : Duration.ofNanos((long) Math.ceil((1 - tokens) * MINUTE / perMinute));
    }

    void take() {
        tokens--;
    }
}
