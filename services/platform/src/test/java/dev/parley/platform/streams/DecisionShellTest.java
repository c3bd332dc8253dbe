package dev.parley.platform.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.domain.RecordKey;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.streams.DecisionShell.Input;
import dev.parley.platform.streams.DecisionShell.Kind;
import dev.parley.platform.streams.DecisionShell.Machine;
import dev.parley.platform.streams.DecisionShell.Unsent;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The policy for decisions that fail, with a machine that does what its inputs say. */
class DecisionShellTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final RecordKey KEY = RecordKey.of("s");

    @TempDir
    Path folder;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    /** The one that runs: the newest. */
    private Toy toy;

    private TopologyTestDriver driver;

    /** Writes each input to its list; {@code fail} in an input makes it fail. */
    private final class Toy implements Processor<byte[], byte[], byte[], byte[]>, Machine<String> {
        private final List<String> done = new ArrayList<>();
        private final List<Instant> ticks = new ArrayList<>();
        private KeyedStore store;
        private DecisionShell<String> shell;
        private ProcessorContext<byte[], byte[]> context;
        private @Nullable Throwable failure;
        private boolean writesFail;

        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            this.context = context;
            store = new KeyedStore(context, "toy-store");
            shell = new DecisionShell<>("toy", this, context, new Sinks(context, "toy"), store::throwIfFailed, meters);
            context.schedule(
                    Duration.ofMillis(100),
                    PunctuationType.WALL_CLOCK_TIME,
                    _ -> shell.takeDue(10).forEach(key -> shell.take(new Input<>(key, "tick", null, null))));
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            shell.take(new Input<>(KEY, new String(record.value(), StandardCharsets.UTF_8), null, record));
        }

        @Override
        public Kind kind(String input) {
            return input.startsWith("tick") ? Kind.TIMER : input.startsWith("result") ? Kind.RESULT : Kind.COMMAND;
        }

        @Override
        public void decide(Input<String> input, Writes<String> writes) {
            String value = input.value();
            if (value.equals("tick")) {
                ticks.add(Instant.ofEpochMilli(context.currentSystemTimeMs()));
            }
            writes.add(() -> {
                if (writesFail) {
                    throw new IllegalStateException("the broker is gone");
                }
                done.add(value);
            });
            if (value.contains("swallow")) {
                readAndSwallow();
            }
            if (value.contains("then")) {
                writes.then("result of " + value.replace("then ", ""));
            }
            if (failure != null && (value.contains("fail") || value.equals("tick"))) {
                throw DecisionShellTest.<RuntimeException>sneaky(failure);
            }
        }

        private void readAndSwallow() {
            try {
                store.text('x');
            } catch (InvalidStateStoreException e) {
                done.add("swallowed");
            }
        }

        @Override
        public void refuse(Input<String> command, Throwable cause, Writes<String> writes) {
            writes.add(() -> done.add("refused " + command.value()));
        }

        @Override
        public Optional<String> failed(Input<String> result, Throwable cause) {
            return result.value().contains("progress")
                    ? Optional.empty()
                    : Optional.of("result " + (result.value().contains("always") ? "always fail" : "not ok"));
        }

        @Override
        public void fault(Input<String> input, Throwable cause, Writes<String> writes) {
            writes.add(() -> done.add("faulted " + input.value()));
        }

        @Override
        public Unsent unsent(String input) {
            return kind(input) == Kind.TIMER
                    ? Unsent.none()
                    : new Unsent(Topics.RESULTS, new RecordHeaders(), input.getBytes(StandardCharsets.UTF_8));
        }
    }

    @BeforeEach
    void open() {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "toy");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        var topology = ProcessorTopology.of("toy", List.of(Topics.TURN_COMMANDS), "toy-store", () -> toy = new Toy());
        Sinks.add(topology, Topics.DEAD_LETTERS, null, "toy");
        driver = new TopologyTestDriver(topology, settings, START);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private void take(String input) {
        driver.createInputTopic(Topics.TURN_COMMANDS.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(
                        KEY.toString().getBytes(StandardCharsets.UTF_8), input.getBytes(StandardCharsets.UTF_8)));
    }

    private List<TestRecord<byte[], byte[]>> letters() {
        return driver.createOutputTopic(
                        Topics.DEAD_LETTERS.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    private static String header(TestRecord<byte[], byte[]> letter, String name) {
        return Objects.requireNonNull(RecordSerde.header(letter.headers(), name));
    }

    private double failures(String input) {
        return meters.counter("parley.decisions.failed", "component", "toy", "input", input)
                .count();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    @Tag("B80")
    void failedCommandIsRefusedAndADeadLetterWithItsCause() {
        // Given
        toy.failure = new ArithmeticException("by zero");

        // When
        take("fail");
        take("go on");

        // Then
        assertEquals(List.of("refused fail", "go on"), toy.done);
        TestRecord<byte[], byte[]> letter = letters().getFirst();
        assertEquals("java.lang.ArithmeticException", header(letter, DeadLetters.ERROR));
        assertEquals("by zero", header(letter, DeadLetters.CAUSE));
        assertEquals("turn-commands", header(letter, DeadLetters.TOPIC));
        assertEquals(1, failures("command"));
    }

    @Test
    @Tag("B80")
    void failedResultIsDecidedAsAFailureAndElseEndsWhatWaitsForIt() {
        // Given
        toy.failure = new AssertionError("no");

        // When
        take("result fail");
        take("result always fail");
        take("result progress fail");

        // Then
        assertEquals(List.of("result not ok", "faulted result always fail"), toy.done);
        assertEquals(3, letters().size());
        assertEquals(3, failures("result"));
    }

    @Test
    @Tag("B173")
    void leavesTheLineOfTheLogToTheDeadLetter() {
        // Given
        var logger = (Logger) LoggerFactory.getLogger(DecisionShell.class);
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        logger.addAppender(log);
        toy.failure = new IllegalStateException("no");

        // When
        take("fail");
        take("result fail");
        toy.shell.arm(KEY, START);
        driver.advanceWallClockTime(Duration.ofMillis(500));
        logger.detachAppender(log);

        // Then
        assertEquals(3, letters().size());
        assertEquals(
                List.of(),
                log.list.stream()
                        .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                        .toList());
    }

    @Test
    @Tag("B80")
    void failedFollowUpKeepsWhatWasDecidedBeforeAndIsALetterOfItsTopic() {
        // Given
        toy.failure = new IllegalStateException("no");

        // When
        take("then fail");

        // Then the command itself fails, and nothing follows
        assertEquals(List.of("refused then fail"), toy.done);
        letters();

        // When
        toy.failure = null;
        take("then go");

        // Then
        assertEquals(List.of("refused then fail", "then go", "result of go"), toy.done);
    }

    @Test
    @Tag("B82")
    void failedTimerIsTriedAgainAfterGrowingPausesAndEndsWhatWaits() {
        // Given
        toy.failure = new IllegalStateException("no");
        toy.shell.arm(KEY, START);

        // When
        for (int i = 0; i < 20 * 60 * 10; i++) {
            driver.advanceWallClockTime(Duration.ofMillis(100));
            if (i % 50 == 0) {
                take("result ok"); // other inputs of the key neither restart the pauses nor end them
            }
            toy.shell.arm(KEY, START);
        }

        // Then
        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < DecisionShell.TIMER_ATTEMPTS; i++) {
            pauses.add(Duration.between(toy.ticks.get(i - 1), toy.ticks.get(i)).toSeconds());
        }
        assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L), pauses);
        toy.done.removeIf("result ok"::equals);
        assertEquals(List.of("faulted tick"), toy.done);
        assertEquals(2, letters().size(), "the first failure and the last");

        // When it works again
        toy.failure = null;
        driver.advanceWallClockTime(Duration.ofMinutes(6));

        // Then
        assertEquals("tick", toy.done.getLast());
    }

    @Test
    @Tag("B81")
    void failureOfTheStoreEndsTheTransactionAlsoWhereTheMachineHasCaughtIt() {
        // Given
        driver.getKeyValueStore("toy-store").close();

        // When
        RuntimeException failure = assertThrows(RuntimeException.class, () -> take("swallow"));

        // Then
        assertTrue(causes(failure).stream().anyMatch(InvalidStateStoreException.class::isInstance), "" + failure);
        assertEquals(List.of("swallowed"), toy.done);
        assertEquals(List.of(), letters());
        assertThrows(InvalidStateStoreException.class, driver::close);
        open();
    }

    @Test
    @Tag("B81")
    void failureOfAWriteAndOfTheJvmEndTheTransaction() {
        // When
        toy.writesFail = true;

        // Then
        assertThrows(RuntimeException.class, () -> take("go"));
        assertEquals(List.of(), letters());

        // When
        toy.writesFail = false;
        toy.failure = new OutOfMemoryError("heap");

        // Then
        assertThrows(Throwable.class, () -> take("fail"));
        assertEquals(List.of(), letters());
    }

    @Test
    @Tag("B80")
    void failuresThatLookLikeThoseOfTheStoreAreOfTheMachine() {
        // Given
        toy.failure = new SerializationException("a row");

        // When
        take("fail");

        // Then
        assertEquals(List.of("refused fail"), toy.done);
        assertEquals(1, letters().size());
    }

    private static List<Throwable> causes(Throwable failure) {
        var causes = new ArrayList<Throwable>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
