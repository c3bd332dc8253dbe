package dev.parley.platform.streams;

import dev.parley.domain.RecordKey;
import dev.parley.platform.dispatch.StreamThread;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell of a state machine in a processor, with the one policy for decisions that fail.
 *
 * <pre>
 *   input ──► decide ──► writes ──► follow-ups, if any, are the next inputs
 *               │
 *               └─ throws: nothing is written; dead letter with the cause, counted
 *                    command ──► its sender is refused
 *                    result  ──► decided as a failed result of the same call ──► throws: what awaits it ends as faulted
 *                    timer   ──► decided again after growing pauses ──► {@value #TIMER_ATTEMPTS} times: the same
 * </pre>
 *
 * Anything that a decision throws is its failure, with two exceptions, which end the transaction: failures of the store
 * that it reads, whoever caught them, and those of the JVM. Writes are executed outside: their failures, of the broker
 * or the store, end the transaction, too, and the input is read again.
 *
 * @param <I> inputs of the machine
 */
public final class DecisionShell<I> {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionShell.class);

    /** Failures of a timer in a row after which what waits for it ends as faulted. */
    static final int TIMER_ATTEMPTS = 10;

    /** Code and text of the refusal of a command on which the machine failed. */
    public static final String FAILED = "internal_error";

    public static final String FAILED_TEXT = "something went wrong; see the logs";

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(5);

    /** What an input is, which says what happens when the machine fails on it. */
    public enum Kind {
        COMMAND,
        RESULT,
        TIMER
    }

    /**
     * An input of the machine.
     *
     * @param record as which it arrived; null for inputs from memory, and for timers
     */
    public record Input<I>(
            RecordKey key,
            I value,
            @Nullable String trace,
            @Nullable Record<byte[], byte[]> record) {}

    /**
     * An input that did not arrive as a record, as the record that it would have been.
     *
     * @param topic null for timers, which cannot be sent again
     */
    public record Unsent(@Nullable Topic<?> topic, RecordHeaders headers, byte @Nullable [] value) {
        /** An input that has no record. */
        public static Unsent none() {
            return new Unsent(null, new RecordHeaders(), null);
        }

        /** The value as a record of its topic. */
        public static <V> Unsent of(Topic<? super V> topic, V value) {
            var headers = new RecordHeaders();
            return new Unsent(topic, headers, RecordCodec.write(topic, headers, value));
        }
    }

    /** A state machine, with the reading of its state and the preparation of its writes. Nothing here writes. */
    public interface Machine<I> {
        /** The kind of an input. */
        Kind kind(I input);

        /** Decides an input, and prepares what is written. */
        void decide(Input<I> input, Writes<I> writes);

        /** Answers the sender of a command, on which the machine has failed. */
        void refuse(Input<I> command, Throwable cause, Writes<I> writes);

        /** A failed result of the same call; empty if its caller does not wait for this result. */
        Optional<I> failed(Input<I> result, Throwable cause);

        /** Ends what waits for a result or a timer as faulted, visibly for operators. */
        void fault(Input<I> input, Throwable cause, Writes<I> writes);

        /** An input from memory as the record that it would have been. */
        Unsent unsent(I input);
    }

    /** A timer that fails. */
    private record Failing(int failures, Instant until) {}

    private final String component;
    private final Machine<I> machine;
    private final Sinks sinks;
    private final Runnable storeCheck;
    private final Supplier<Instant> clock;
    private final Timers timers = new Timers();
    private final StreamThread thread = StreamThread.current();
    private final Map<RecordKey, Failing> failing = new HashMap<>();
    private final Map<Kind, Counter> failures = new EnumMap<>(Kind.class);
    private final Counter unreadableRows;
    private final int partition;

    /**
     * @param component name of the processor, in its dead letters
     * @param storeCheck throws the failure of the store, if it has failed: {@link KeyedStore#throwIfFailed}
     * @param meters null for none
     */
    public DecisionShell(
            String component,
            Machine<I> machine,
            ProcessorContext<byte[], byte[]> context,
            Sinks sinks,
            Runnable storeCheck,
            @Nullable MeterRegistry meters) {
        this.component = component;
        this.machine = machine;
        this.sinks = sinks;
        this.storeCheck = storeCheck;
        this.clock = () -> Instant.ofEpochMilli(context.currentSystemTimeMs());
        this.partition = context.taskId().partition();
        MeterRegistry registry = meters == null ? new CompositeMeterRegistry() : meters;
        for (Kind kind : Kind.values()) {
            failures.put(
                    kind,
                    Counter.builder("parley.decisions.failed")
                            .description("Inputs on which a state machine failed; the dead letters have them")
                            .tag("component", component)
                            .tag("input", kind.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        unreadableRows = Counter.builder("parley.rows.unreadable")
                .description("Rows of a store that cannot be read")
                .tag("component", component)
                .register(registry);
    }

    /** A failure for operators. */
    public static String detail(Throwable cause) {
        return "the decision failed: " + cause;
    }

    /** Decides an input and what follows from it, and writes it. */
    public void take(Input<I> first) {
        var inputs = new ArrayDeque<Input<I>>(List.of(first));
        while (!inputs.isEmpty()) {
            Input<I> input = inputs.remove();
            for (I next : decide(input).execute()) {
                inputs.add(new Input<>(input.key(), next, input.trace(), null));
            }
        }
    }

    /** Sends a record that cannot be read to the dead letters. */
    public void unreadable(Record<byte[], byte[]> record, Throwable cause) {
        sinks.deadLetter(record, component, cause);
    }

    /** Counts a row of the store that cannot be read, and sends it to the dead letters. */
    public void deadLetterRow(byte[] row, byte[] bytes, String problem) {
        unreadableRows.increment();
        var record = new Record<>(row, bytes, clock.get().toEpochMilli());
        sinks.deadLetter(record, component, new SerializationException(problem));
    }

    /**
     * Reports a row of the store that cannot be read, and that no dead letter has.
     *
     * @param consequence what it was, and what follows
     */
    public void unreadableRow(byte[] row, String consequence) {
        LOG.atError()
                .addKeyValue("component", component)
                .addKeyValue("row", new String(row, StandardCharsets.UTF_8))
                .log(consequence);
        unreadableRows.increment();
    }

    /**
     * Runs a step that belongs to no input, such as the start of a timer from a stored state.
     *
     * @return empty where it throws: logged and counted
     */
    public <T> Optional<T> attempt(Object subject, Supplier<T> step) {
        Tried<T> tried = tried(step);
        Throwable cause = tried.failure();
        if (cause != null) {
            LOG.atError()
                    .addKeyValue("component", component)
                    .addKeyValue("key", subject)
                    .setCause(cause)
                    .log("a step failed");
            count(Kind.TIMER);
        }
        return Optional.ofNullable(tried.value());
    }

    /** Sets the timer of a key, unless it fires earlier; that of a failing key fires after its pause. */
    public void arm(RecordKey key, Instant due) {
        Failing paused = failing.get(key);
        timers.arm(key, paused == null || due.isAfter(paused.until()) ? due : paused.until());
        thread.wakeAt(this, timers.next());
    }

    /** Removes and returns keys whose timer is due. */
    public List<RecordKey> takeDue(int limit) {
        List<RecordKey> due = timers.takeDue(clock.get(), limit);
        thread.wakeAt(this, timers.next());
        return due;
    }

    /** Forgets the timers. */
    public void close() {
        thread.wakeAt(this, null);
    }

    private Writes<I> decide(Input<I> input) {
        var writes = new Writes<I>();
        Throwable cause = failure(() -> machine.decide(input, writes));
        Kind kind = machine.kind(input.value());
        if (cause == null) {
            if (kind == Kind.TIMER) { // other inputs say nothing about it
                failing.remove(input.key());
            }
            return writes;
        }
        count(kind);
        LOG.atDebug() // the dead letter is the line of the log
                .addKeyValue("component", component)
                .addKeyValue("key", input.key())
                .addKeyValue("input", input.value().getClass().getSimpleName())
                .setCause(cause)
                .log("decision failed on a " + kind.name().toLowerCase(Locale.ROOT));
        return switch (kind) {
            case COMMAND -> letter(input, cause, prepared(input, to -> machine.refuse(input, cause, to)));
            case RESULT -> letter(input, cause, failedResult(input, cause));
            case TIMER -> retry(input, cause);
        };
    }

    private Writes<I> failedResult(Input<I> input, Throwable cause) {
        Tried<Optional<I>> failed = tried(() -> machine.failed(input, cause));
        Optional<I> result = failed.value();
        if (result != null && result.isEmpty()) {
            return new Writes<>(); // nobody waits for it
        }
        if (result != null) {
            var instead = new Input<>(input.key(), result.get(), input.trace(), null);
            var writes = new Writes<I>();
            if (failure(() -> machine.decide(instead, writes)) == null) {
                return writes;
            }
        }
        return prepared(input, to -> machine.fault(input, cause, to));
    }

    /** The first failure of a timer and the last one are dead letters. */
    private Writes<I> retry(Input<I> input, Throwable cause) {
        Failing before = failing.get(input.key());
        int count = before == null ? 1 : before.failures() + 1;
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(count - 1, 10));
        Instant until = clock.get().plus(pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause);
        failing.put(input.key(), new Failing(count, until));
        timers.arm(input.key(), until);
        thread.wakeAt(this, timers.next());
        if (count == 1) {
            return letter(input, cause, new Writes<>());
        }
        if (count == TIMER_ATTEMPTS) {
            return letter(input, cause, prepared(input, to -> machine.fault(input, cause, to)));
        }
        LOG.atWarn()
                .addKeyValue("component", component)
                .addKeyValue("key", input.key())
                .addKeyValue("failures", count)
                .addKeyValue("cause", cause.toString())
                .log("a timer fails again; retrying");
        return new Writes<>();
    }

    /** What is written after a failure. It must not fail on the same cause again: then only the dead letter remains. */
    private Writes<I> prepared(Input<I> input, Consumer<Writes<I>> step) {
        var writes = new Writes<I>();
        Throwable failure = failure(() -> step.accept(writes));
        if (failure == null) {
            return writes;
        }
        LOG.atError()
                .addKeyValue("component", component)
                .addKeyValue("key", input.key())
                .setCause(failure)
                .log("the failure of a decision could not be answered");
        return new Writes<>();
    }

    private Writes<I> letter(Input<I> input, Throwable cause, Writes<I> answer) {
        var writes = new Writes<I>();
        Record<byte[], byte[]> record = input.record();
        if (record != null) {
            writes.add(() -> sinks.deadLetter(record, component, cause));
        } else {
            Unsent unsent = tried(() -> machine.unsent(input.value())).value();
            sendUnsent(input, unsent == null ? Unsent.none() : unsent, cause, writes);
        }
        writes.addAll(answer);
        return writes;
    }

    private void sendUnsent(Input<I> input, Unsent unsent, Throwable cause, Writes<I> writes) {
        String trace = input.trace();
        if (trace != null) {
            unsent.headers().add(RecordCodec.TRACE, trace.getBytes(StandardCharsets.UTF_8));
        }
        Topic<?> topic = unsent.topic();
        byte[] key = input.key().toString().getBytes(StandardCharsets.UTF_8);
        var letter = DeadLetters.ofUnsent(
                topic == null ? "" : topic.name(), partition, key, unsent.value(), unsent.headers(), component, cause);
        writes.add(() -> sinks.forward(letter, clock.get()));
    }

    /** What a step returns, or what it throws. */
    private record Tried<T>(@Nullable T value, @Nullable Throwable failure) {}

    private @Nullable Throwable failure(Runnable step) {
        return tried(() -> {
                    step.run();
                    return true;
                })
                .failure();
    }

    /** @throws RuntimeException the failure of the store, if it has failed meanwhile */
    private <T> Tried<T> tried(Supplier<T> step) {
        Tried<T> tried;
        try {
            tried = new Tried<>(step.get(), null);
        } catch (StackOverflowError e) {
            tried = new Tried<>(null, e);
        } catch (VirtualMachineError e) {
            throw e; // of the process, not of the input
        } catch (Throwable e) {
            tried = new Tried<>(null, e);
        }
        storeCheck.run();
        return tried;
    }

    private void count(Kind kind) {
        Counter counter = failures.get(kind);
        if (counter != null) {
            counter.increment();
        }
    }
}
