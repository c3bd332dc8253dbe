package dev.parley.platform.testkit.telegram;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One lock for the whole fake, and one condition for all that wait for something in it. */
final class Monitor {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Does something alone, and tells those that wait. */
    <T> T get(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            if (lock.getHoldCount() == 1) { // a condition that is asked must not wake others that ask
                changed.signalAll();
            }
            lock.unlock();
        }
    }

    /** Tells those that wait, in the middle of something. */
    void tell() {
        changed.signalAll();
    }

    /** Does something alone, and tells those that wait. */
    void run(Runnable work) {
        get(() -> {
            work.run();
            return true;
        });
    }

    /** Waits until it is true; returns whether it became true in time. */
    boolean await(BooleanSupplier condition, Duration limit) {
        lock.lock();
        try {
            long nanos = limit.toNanos();
            while (!condition.getAsBoolean()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = changed.awaitNanos(nanos);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
