package dev.parley.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;

/**
 * Drops the errors of the embedded broker about sequence numbers of transactional producers. The first batch of a
 * transaction in a partition is refused while the broker still ends the transaction before; batches that are in flight
 * behind it then come out of order, and the producer sends all of them again, in order. A producer that cannot recover
 * fails with an exception, which is logged where it is handled.
 */
public final class SequenceErrors extends Filter<ILoggingEvent> {
    private static final String BROKER = "kafka.server.ReplicaManager";

    @Override
    public FilterReply decide(ILoggingEvent event) {
        boolean expected = event.getLoggerName().equals(BROKER)
                && event.getThrowableProxy() instanceof ThrowableProxy thrown
                && thrown.getThrowable() instanceof OutOfOrderSequenceException;
        return expected ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
