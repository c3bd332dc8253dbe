package dev.parley.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;

/** Failures of a dependency, logged by many. */
class RepeatedFailuresTest {
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final RepeatedFailures log = new RepeatedFailures();

    @BeforeEach
    void open() {
        lines.setContext(context);
        lines.start();
        log.setContext(context);
        log.addAppender(lines);
        log.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(log);
    }

    @AfterEach
    void close() {
        context.stop();
    }

    private Logger logger(String name) {
        return context.getLogger(name);
    }

    static Stream<Exception> ofDependencies() {
        return Stream.of(
                new SQLTransientConnectionException("not available", new ConnectException("Connection refused")),
                new SQLException("terminating connection", "57P01"),
                new SQLException("disk full", "53100"),
                new IllegalStateException("the view", new SQLException("broken", "08006")),
                new TimeoutException("no answer"),
                new FileSystemException("/data/x", null, "Read-only file system"),
                new IOException("No space left on device"));
    }

    @ParameterizedTest
    @MethodSource("ofDependencies")
    @Tag("B122")
    void repeatedFailuresOfADependencyAreOneLineAndACount(Exception failure) {
        // When
        for (int i = 0; i < 400; i++) {
            logger("a.Writer").atWarn().setCause(failure).log("cannot write; retrying");
            logger("b.Reader").atError().addKeyValue("reason", failure).log("request failed");
        }

        // Then
        assertEquals(1, lines.list.size());
        assertEquals("cannot write; retrying", lines.list.getFirst().getFormattedMessage());
        assertNull(lines.list.getFirst().getThrowableProxy());
        assertTrue(lines.list.getFirst().getKeyValuePairs().toString().contains("cause="));

        // And when
        log.summarise();

        // Then
        assertEquals(2, lines.list.size());
        assertTrue(lines.list.getLast().getFormattedMessage().endsWith("is still unavailable"));
        assertEquals(
                "[failures=\"799\", of=\"{Reader=400, Writer=399}\"]",
                lines.list.getLast().getKeyValuePairs().toString());
    }

    @Test
    @Tag("B122")
    void aDependencyThatIsBackIsNoLongerCounted() {
        logger("a.Writer")
                .atWarn()
                .setCause(new SQLException("broken", "08006"))
                .log("cannot write");

        log.summarise();
        logger("a.Writer")
                .atWarn()
                .setCause(new SQLException("broken", "08006"))
                .log("cannot write");

        assertEquals(2, lines.list.size());
    }

    @Test
    @Tag("B127")
    void sequenceErrorsOfTheBrokerAreDroppedAndThoseOfProducersAreNot() {
        // Given
        log.addFilter(new SequenceErrors());
        var failure = new OutOfOrderSequenceException("Expected sequence 0 for transactions v2");

        // When
        logger("kafka.server.ReplicaManager").atError().setCause(failure).log("Error processing append operation");
        logger("kafka.server.ReplicaManager").error("Error processing append operation", new IllegalStateException());
        logger("a.Producer").atError().setCause(failure).log("a record could not be sent");

        // Then
        assertEquals(2, lines.list.size());
    }

    static Stream<Exception> others() {
        return Stream.of(
                new IllegalStateException("a bug"),
                new SQLException("violates a constraint", "23505"),
                new SQLException("canceling statement due to statement timeout", "57014"),
                new NoSuchFileException("/data/files/x"),
                new IOException("broken pipe"));
    }

    @ParameterizedTest
    @MethodSource("others")
    @Tag("B122")
    void otherFailuresAreLoggedEachWithTheirTrace(Exception failure) {
        for (int i = 0; i < 3; i++) {
            logger("a.Writer").atWarn().setCause(failure).log("failed");
        }

        assertEquals(3, lines.list.size());
        assertNotNull(lines.list.getLast().getThrowableProxy());
    }
}
