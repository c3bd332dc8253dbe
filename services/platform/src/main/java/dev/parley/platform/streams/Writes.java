package dev.parley.platform.streams;

import java.util.ArrayList;
import java.util.List;

/**
 * What a decision writes: prepared while it is made, executed after it has succeeded. Records are encoded when they are
 * added, so that what remains can fail only with the broker or the store.
 *
 * @param <I> inputs of the machine
 */
public final class Writes<I> {
    private final List<Runnable> actions = new ArrayList<>();
    private final List<I> followUps = new ArrayList<>();

    /** Adds a write; they are executed in this order. */
    public void add(Runnable action) {
        actions.add(action);
    }

    /** Adds an input of the same key that is decided after these writes. */
    public void then(I input) {
        followUps.add(input);
    }

    void addAll(Writes<I> others) {
        actions.addAll(others.actions);
        followUps.addAll(others.followUps);
    }

    /** Executes the writes, and returns the inputs that follow. */
    List<I> execute() {
        actions.forEach(Runnable::run);
        return followUps;
    }
}
