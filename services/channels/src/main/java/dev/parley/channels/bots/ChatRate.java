package dev.parley.channels.bots;

import dev.parley.channels.contract.Limits;
import java.util.concurrent.TimeUnit;

/**
 * What a conversation takes: some calls at once, and more as time goes by. Time during a call does not count, as it is not
 * known when the call arrives: so there is never more room here than there. Used by one thread, for one call after the other.
 */
final class ChatRate {
    private final double burst;
    private final double perNano;
    private double left;
    private long at = System.nanoTime();

    ChatRate(Limits limits) {
        burst = limits.burst();
        perNano = (double) limits.calls() / limits.period().toNanos();
        left = burst;
    }

    /** Waits for the room of a call and takes it. */
    void await() throws InterruptedException {
        pass(burst);
        while (left < 1) {
            TimeUnit.NANOSECONDS.sleep((long) Math.ceil((1 - left) / perNano));
            pass(burst);
        }
        left--;
    }

    /** Takes the room of a call if that of another one stays. */
    boolean take() {
        pass(burst);
        if (left < 2) {
            return false;
        }
        left--;
        return true;
    }

    /** The call was not made. */
    void giveBack() {
        left++;
    }

    /** The call whose room was taken begins only now. */
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
