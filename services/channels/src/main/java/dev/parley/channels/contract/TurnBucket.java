package dev.parley.channels.contract;

import java.time.Duration;

/** Token bucket of turns per minute, with a burst of one minute. For one thread. */
final class TurnBucket {
    private static final double MINUTE = 60e9;

    private double left;
    private long at;

    TurnBucket(int perMinute, long now) {
        left = perMinute;
        at = now;
    }

    /** How long until a turn may start at this rate; zero where it may now. */
    Duration pause(int perMinute, long now) {
        left = Math.min(perMinute, left + (now - at) * (perMinute / MINUTE));
        at = now;
        return left >= 1 ? Duration.ZERO : Duration.ofNanos((long) Math.ceil((1 - left) * MINUTE / perMinute));
    }

    void take() {
        left--;
    }
}
