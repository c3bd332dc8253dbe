package dev.parley.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Leaves one line of what Netty logs with a stack trace when a client ends its connection while a stream is written:
 * Micronaut then refuses the next piece, which no caller can prevent.
 */
public final class AbortedStreams extends TurboFilter {
    private static final String LOGGER = "io.netty.util.concurrent.AbstractEventExecutor";
    private static final String REFUSED = "onNext before request?";

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] params,
            @Nullable Throwable cause) {
        Throwable thrown = cause == null
                        && params != null
                        && params.length > 0
                        && params[params.length - 1] instanceof Throwable last
                ? last
                : cause;
        if (level != Level.WARN
                || !logger.getName().equals(LOGGER)
                || thrown == null
                || !REFUSED.equals(thrown.getMessage())) {
            return FilterReply.NEUTRAL;
        }
        logger.warn("a client ended its connection while a stream was written");
        return FilterReply.DENY;
    }
}
