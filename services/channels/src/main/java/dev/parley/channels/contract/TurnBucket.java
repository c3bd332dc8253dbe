package dev.parley.channels.contract;

import java.time.Duration;

/** So many a minute, evenly, after a full minute's worth at once. For one thread. */
final class TurnBucket {
    private static final double MINUTE = 60e9;

    private double left;
    private long at;

    TurnBucket(int perMinute, long now) {
        left = perMinute;
        at = now;
    }

    /** How long until one may be taken, at this rate from now on; zero where it may be taken now. */
    Duration pause(int perMinute, long now) {
        left = Math.min(perMinute, left + (now - at) * (perMinute / MINUTE));
        at = now;
        return left >= 1 ? Duration.ZERO : Duration.ofNanos((long) Math.ceil((1 - left) * MINUTE / perMinute));
    }

    void take() {
        left--;
    }
}
