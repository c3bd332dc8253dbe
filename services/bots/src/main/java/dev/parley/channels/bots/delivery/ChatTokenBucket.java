package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.Limits;
import java.util.concurrent.TimeUnit;

/**
 * Token bucket of a conversation. Time during a call does not count, as the arrival of the call is unknown: the bucket
 * never has more room here than at the platform. Used by one thread, one call after the other.
 */
final class ChatTokenBucket {
    private final double burst;
    private final double perNano;
    private double tokens;
    private long updatedNanos = System.nanoTime();

    ChatTokenBucket(Limits limits) {
        burst = limits.burst();
        perNano = (double) limits.calls() / limits.period().toNanos();
        tokens = burst;
    }

    /** Waits for a token and takes it. */
    void await() throws InterruptedException {
        pass(burst);
        while (tokens < 1) {
            TimeUnit.NANOSECONDS.sleep((long) Math.ceil((1 - tokens) / perNano));
            pass(burst);
        }
        tokens--;
    }

    /** Takes a token if another one remains. */
    boolean tryTake() {
        pass(burst);
        if (tokens < 2) {
            return false;
        }
        tokens--;
        return true;
    }

    /** Returns the token of a call that was not made. */
    void putBack() {
        tokens++;
    }

    /** The call whose token was taken begins now. */
    void onCallBegun() {
        pass(burst - 1);
    }

    /** Reports that the call ended, with or without an answer. */
    void onCallEnded() {
        updatedNanos = System.nanoTime();
    }

    private void pass(double maximum) {
        long now = System.nanoTime();
        tokens = Math.min(maximum, tokens + (now - updatedNanos) * perNano);
        updatedNanos = now;
    }
}
