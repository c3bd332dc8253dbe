package dev.parley.platform.gateway;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.SettleCall;

/** Sends settlements to tool workers: results that people report for calls with an unknown result. */
@FunctionalInterface
public interface Settlements {
    /**
     * Sends a settlement.
     *
     * @param session of the call
     * @return whether Kafka has acknowledged it
     */
    boolean send(RecordKey session, SettleCall settlement);
}
