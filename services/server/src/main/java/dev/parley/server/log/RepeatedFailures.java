package dev.parley.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import dev.parley.platform.database.Databases;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Passes log events on to the attached appender. While a dependency is unavailable, everything that uses it fails again
 * and again: the first failure of a minute is one line with its cause, without a stack trace, and the others are
 * counted; a line a minute tells how many there were, and whose. What a dependency is stands in {@link #dependency}.
 * Other events pass unchanged.
 */
public final class RepeatedFailures extends UnsynchronizedAppenderBase<ILoggingEvent>
        implements AppenderAttachable<ILoggingEvent> {
    private static final long WINDOW_SECONDS = 60;
    /** Longest chain of causes that is searched. */
    private static final int MAX_CAUSES = 12;

    private static final String POOL = "com.zaxxer.hikari.";
    private static final String FULL = "No space left on device";
    /** SQLSTATE of a statement that its timeout cancelled. */
    private static final String SLOW_QUERY = "57014";

    /** Failures since the first line of a window, by the logger. */
    private static final class Window {
        private final Map<String, Integer> others = new TreeMap<>();
        private int count;

        void count(String logger) {
            count++;
            others.merge(logger.substring(logger.lastIndexOf('.') + 1), 1, Integer::sum);
        }
    }

    private final AppenderAttachableImpl<ILoggingEvent> appenders = new AppenderAttachableImpl<>();
    private final Map<String, Window> windows = new HashMap<>();
    private @Nullable ScheduledFuture<?> summaries;

    @Override
    public void start() {
        super.start();
        summaries = getContext()
                .getScheduledExecutorService()
                .scheduleAtFixedRate(this::summarise, WINDOW_SECONDS, WINDOW_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void stop() {
        if (summaries != null) {
            summaries.cancel(false);
        }
        super.stop();
        appenders.detachAndStopAllAppenders();
    }

    @Override
    protected void append(ILoggingEvent event) {
        Optional<Failure> failure = event.getLevel().isGreaterOrEqual(Level.WARN) ? failure(event) : Optional.empty();
        if (failure.isEmpty()) {
            appenders.appendLoopOnAppenders(event);
        } else if (isFirst(failure.get().dependency(), event.getLoggerName())) {
            appenders.appendLoopOnAppenders(withoutTrace(event, failure.get()));
        }
    }

    private synchronized boolean isFirst(String dependency, String logger) {
        Window window = windows.get(dependency);
        if (window == null) {
            windows.put(dependency, new Window());
            return true;
        }
        window.count(logger);
        return false;
    }

    /** Tells how many failures followed the first; a dependency without failures begins anew. */
    synchronized void summarise() {
        windows.values().removeIf(window -> window.count == 0);
        windows.replaceAll((dependency, window) -> {
            LoggerContext context = (LoggerContext) getContext();
            var summary = new LoggingEvent(
                    RepeatedFailures.class.getName(),
                    context.getLogger(RepeatedFailures.class),
                    Level.WARN,
                    dependency + " is still unavailable",
                    null,
                    null);
            summary.addKeyValuePair(new KeyValuePair("failures", window.count));
            summary.addKeyValuePair(new KeyValuePair("of", window.others));
            appenders.appendLoopOnAppenders(summary);
            return new Window();
        });
    }

    private record Failure(String dependency, @Nullable String cause) {}

    private static Optional<Failure> failure(ILoggingEvent event) {
        if (event.getLoggerName().startsWith(POOL)) {
            return Optional.of(new Failure("the database", null));
        }
        Throwable thrown = thrown(event);
        Throwable cause = thrown;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            Optional<String> dependency = dependency(cause);
            if (dependency.isPresent()) {
                return Optional.of(new Failure(dependency.get(), root(thrown)));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /** The exception of an event, or one of its values. */
    private static @Nullable Throwable thrown(ILoggingEvent event) {
        if (event.getThrowableProxy() instanceof ThrowableProxy proxy) {
            return proxy.getThrowable();
        }
        return event.getKeyValuePairs() == null
                ? null
                : event.getKeyValuePairs().stream()
                        .map(pair -> pair.value instanceof Throwable value ? value : null)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** What is unavailable according to an exception: the database, the brokers, the disk. */
    private static Optional<String> dependency(Throwable cause) {
        return switch (cause) {
            case SQLException e when isUnavailable(e) -> Optional.of("the database");
            case RetriableException _ -> Optional.of("the broker");
            // Subclasses are about one file.
            case FileSystemException e when e.getClass() == FileSystemException.class -> Optional.of("the disk");
            case IOException e when String.valueOf(e.getMessage()).contains(FULL) -> Optional.of("the disk");
            default -> Optional.empty();
        };
    }

    private static boolean isUnavailable(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return Databases.isUnavailable(state) && !state.equals(SLOW_QUERY);
    }

    private static @Nullable String root(@Nullable Throwable thrown) {
        Throwable root = thrown;
        for (int i = 0; root != null && root.getCause() != null && i < MAX_CAUSES; i++) {
            root = root.getCause();
        }
        return root == null ? null : root.toString();
    }

    private LoggingEvent withoutTrace(ILoggingEvent event, Failure failure) {
        LoggerContext context = (LoggerContext) getContext();
        var line = new LoggingEvent(
                RepeatedFailures.class.getName(),
                context.getLogger(event.getLoggerName()),
                event.getLevel(),
                event.getFormattedMessage(),
                null,
                null);
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(line::addKeyValuePair);
        }
        if (failure.cause() != null) {
            line.addKeyValuePair(new KeyValuePair("cause", failure.cause()));
        }
        return line;
    }

    @Override
    public void addAppender(Appender<ILoggingEvent> appender) {
        appenders.addAppender(appender);
    }

    @Override
    public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
        return appenders.iteratorForAppenders();
    }

    @Override
    public @Nullable Appender<ILoggingEvent> getAppender(String name) {
        return appenders.getAppender(name);
    }

    @Override
    public boolean isAttached(Appender<ILoggingEvent> appender) {
        return appenders.isAttached(appender);
    }

    @Override
    public void detachAndStopAllAppenders() {
        appenders.detachAndStopAllAppenders();
    }

    @Override
    public boolean detachAppender(Appender<ILoggingEvent> appender) {
        return appenders.detachAppender(appender);
    }

    @Override
    public boolean detachAppender(String name) {
        return appenders.detachAppender(name);
    }
}
