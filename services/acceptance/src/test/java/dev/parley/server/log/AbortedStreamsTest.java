package dev.parley.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AbortedStreamsTest {
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private Logger logger(String name) {
        var filter = new AbortedStreams();
        filter.start();
        context.addTurboFilter(filter);
        lines.start();
        Logger logger = context.getLogger(name);
        logger.addAppender(lines);
        return logger;
    }

    @Test
    @Tag("B98")
    void abortedStreamIsOneLineWithoutAStackTrace() {
        Logger netty = logger("io.netty.util.concurrent.AbstractEventExecutor");

        netty.warn("A task raised an exception. Task: {}", "x", new IllegalStateException("onNext before request?"));

        assertEquals(1, lines.list.size());
        assertNull(lines.list.getFirst().getThrowableProxy());
    }

    @Test
    void otherFaultsKeepTheirStackTraces() {
        Logger netty = logger("io.netty.util.concurrent.AbstractEventExecutor");

        netty.warn("A task raised an exception. Task: {}", "x", new IllegalStateException("broken"));

        assertNotNull(lines.list.getFirst().getThrowableProxy());
    }
}
