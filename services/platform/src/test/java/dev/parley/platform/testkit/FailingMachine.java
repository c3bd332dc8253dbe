package dev.parley.platform.testkit;

import dev.parley.platform.streams.DecisionShell.Input;
import dev.parley.platform.streams.DecisionShell.Kind;
import dev.parley.platform.streams.DecisionShell.Machine;
import dev.parley.platform.streams.DecisionShell.Unsent;
import dev.parley.platform.streams.Writes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.ProcessorStateException;

/** Wraps a state machine that fails on chosen inputs, after it has decided and prepared everything. */
public final class FailingMachine<I> implements UnaryOperator<Machine<I>> {
    /** Failures of every kind, among them some that look like those of a broker or a store. */
    public static final List<Supplier<Throwable>> FAILURES = List.of(
            () -> new IllegalStateException("broken"),
            () -> new IllegalArgumentException("broken"),
            () -> new NullPointerException("broken"),
            () -> new IndexOutOfBoundsException("broken"),
            () -> new ArithmeticException("broken"),
            () -> new ClassCastException("broken"),
            () -> new ConcurrentModificationException("broken"),
            () -> new UnsupportedOperationException("broken"),
            () -> new MatchException("broken", null),
            () -> new KafkaException("broken"),
            () -> new ProcessorStateException("broken"),
            () -> new SerializationException("broken"),
            () -> new IOException("broken"),
            () -> new AssertionError("broken"),
            () -> new StackOverflowError("broken"),
            () -> new NoClassDefFoundError("broken"),
            () -> new ExceptionInInitializerError("broken"));

    private final List<String> failed = new ArrayList<>();
    private Predicate<I> fails = _ -> false;
    private Supplier<Throwable> failure = FAILURES.getFirst();
    private int left;
    private boolean faultFails;

    /** Fails on the next matching inputs. */
    public void failOn(Predicate<I> inputs, Supplier<Throwable> with, int times) {
        fails = inputs;
        failure = with;
        left = times;
        failed.clear();
    }

    /** Whether the machine also fails where it ends what waits for the input. */
    public void faultFails(boolean fails) {
        faultFails = fails;
    }

    /** Names of the inputs on which it has failed. */
    public List<String> failed() {
        return List.copyOf(failed);
    }

    @Override
    public Machine<I> apply(Machine<I> machine) {
        return new Machine<>() {
            @Override
            public Kind kind(I input) {
                return machine.kind(input);
            }

            @Override
            public void decide(Input<I> input, Writes<I> writes) {
                machine.decide(input, writes);
                if (left > 0 && fails.test(input.value())) {
                    left--;
                    failed.add(input.value().getClass().getSimpleName());
                    throw FailingMachine.<RuntimeException>sneaky(failure.get());
                }
            }

            @Override
            public void refuse(Input<I> command, Throwable cause, Writes<I> writes) {
                machine.refuse(command, cause, writes);
            }

            @Override
            public Optional<I> failed(Input<I> result, Throwable cause) {
                return machine.failed(result, cause);
            }

            @Override
            public void fault(Input<I> input, Throwable cause, Writes<I> writes) {
                machine.fault(input, cause, writes);
                if (faultFails) {
                    throw FailingMachine.<RuntimeException>sneaky(failure.get());
                }
            }

            @Override
            public Unsent unsent(I input) {
                return machine.unsent(input);
            }
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }
}
