package dev.parley.platform.worker;

import dev.parley.domain.turn.TurnMachine;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * Settings of a worker.
 *
 * @param name of its consumer group, its clients and its threads
 * @param lease how long an asker waits for a sign of life; one is sent every third of it
 * @param maxCalls most calls in flight
 * @param maxBytes most bytes of requests in flight
 * @param grace how long calls may go on when the worker stops
 */
@RecordBuilder
public record WorkerSettings(String name, Duration lease, int maxCalls, long maxBytes, Duration grace)
        implements WorkerSettingsBuilder.With {
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
}
