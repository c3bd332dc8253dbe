package dev.parley.platform.worker;

import dev.parley.domain.turn.TurnMachine;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * Settings of a worker.
 *
 * @param name of its consumer group, clients and threads
 * @param lease time for which a requester waits for a heartbeat; one is sent every third of it
 * @param maxCalls maximum number of calls in flight
 * @param maxBytes maximum size of the requests in flight
 * @param grace time for which calls may continue when the worker stops
 */
@RecordBuilder
public record WorkerSettings(String name, Duration lease, int maxCalls, long maxBytes, Duration grace)
        implements WorkerSettingsBuilder.With {
    public WorkerSettings {
        if (lease.toMillis() < 30 || maxCalls < 1 || maxBytes < 1 || grace.isNegative()) {
            throw new IllegalArgumentException(
                    "a worker needs a lease of at least 30 ms, room for a call and a byte, and a grace that is not"
                            + " negative");
        }
    }

    /** Defaults: 4,000 calls, an eighth of the heap, 4 s of grace, within which the process stops. */
    public static WorkerSettings of(String name) {
        long eighth = Runtime.getRuntime().maxMemory() / 8;
        return new WorkerSettings(name, TurnMachine.LEASE, 4_000, eighth, Duration.ofSeconds(4));
    }
}
