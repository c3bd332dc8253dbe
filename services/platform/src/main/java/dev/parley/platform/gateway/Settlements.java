package dev.parley.platform.gateway;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.SettleCall;

/** Sends to tool workers what people report about calls with an unknown result. */
@FunctionalInterface
public interface Settlements {
    /** Returns when it is safe. @param session whose call it is @return whether it is safe: Kafka may not take it now */
    boolean send(RecordKey session, SettleCall said);
}
