package dev.parley.platform.worker;

import dev.parley.domain.turn.TurnMachine;
import java.time.Duration;

/**
 * How a worker runs.
 *
 * @param name of its consumer group, its clients and its threads
 * @param lease how long an asker waits for a sign of life; one is sent every third of it
 * @param maxCalls most calls in flight
 * @param maxBytes most bytes of requests in flight
 * @param grace how long calls may go on when the worker stops
 */
public record WorkerSettings(String name, Duration lease, int maxCalls, long maxBytes, Duration grace) {
    public WorkerSettings {
        if (lease.toMillis() < 30 || maxCalls < 1 || maxBytes < 1 || grace.isNegative()) {
            throw new IllegalArgumentException(
                    "a worker needs a lease of at least 30 ms, room for a call and a byte, and a grace that is not negative");
        }
    }

    /** The usual ones: 4,000 calls, an eighth of the heap, ten seconds to stop. */
    public static WorkerSettings of(String name) {
        long eighth = Runtime.getRuntime().maxMemory() / 8;
        return new WorkerSettings(name, TurnMachine.LEASE, 4_000, eighth, Duration.ofSeconds(10));
    }

    /** These with another lease. */
    public WorkerSettings withLease(Duration other) {
        return new WorkerSettings(name, other, maxCalls, maxBytes, grace);
    }

    /** These with another bound of calls in flight. */
    public WorkerSettings withMaxCalls(int other) {
        return new WorkerSettings(name, lease, other, maxBytes, grace);
    }

    /** These with another time to stop. */
    public WorkerSettings withGrace(Duration other) {
        return new WorkerSettings(name, lease, maxCalls, maxBytes, other);
    }
}
