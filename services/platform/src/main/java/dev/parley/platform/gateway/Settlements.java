package dev.parley.platform.gateway;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.SettleCall;

/** Tells tool workers what people say of calls that nobody saw the end of. */
@FunctionalInterface
public interface Settlements {
    /** Returns when it is safe. @param session whose call it is @return whether it is safe: Kafka may not take it now */
    boolean send(RecordKey session, SettleCall said);
}
