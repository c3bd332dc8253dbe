package dev.parley.channels.bots;

import dev.parley.channels.contract.Limits;
import java.util.concurrent.TimeUnit;

/**
 * Token bucket of a conversation. Time during a call does not count, as the arrival of the call is unknown: the bucket
 * never has more room here than at the platform. Used by one thread, one call after the other.
 */
final class ChatTokenBucket {
    private final double burst;
    private final double perNano;
    private double left;
    private long at = System.nanoTime();

    ChatTokenBucket(Limits limits) {
        burst = limits.burst();
        perNano = (double) limits.calls() / limits.period().toNanos();
        left = burst;
    }

    /** Waits for a token and takes it. */
    void await() throws InterruptedException {
        pass(burst);
        while (left < 1) {
            TimeUnit.NANOSECONDS.sleep((long) Math.ceil((1 - left) / perNano));
            pass(burst);
        }
        left--;
    }

    /** Takes a token if another one remains. */
    boolean tryTake() {
        pass(burst);
        if (left < 2) {
            return false;
        }
        left--;
        return true;
    }

    /** The call was not made. */
    void putBack() {
        left++;
    }

    /** The call whose token was taken begins now. */
    void begins() {
        pass(burst - 1);
    }

    /** The call was answered, or will not be. */
    void ended() {
        at = System.nanoTime();
    }

    private void pass(double most) {
        long now = System.nanoTime();
        left = Math.min(most, left + (now - at) * perNano);
        at = now;
    }
}
