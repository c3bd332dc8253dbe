package dev.parley.client;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Events as they happen. {@link #hasNext} waits for the next one; a lost connection is made again and goes on after the
 * last event. It is for one thread; any thread may close it, which ends the waiting.
 *
 * @param <E> what happens
 */
public final class EventStream<E> implements Iterator<E>, AutoCloseable {
    private final ServerEvents events;
    private final Supplier<Optional<E>> source;
    private final Predicate<E> ends;
    private @Nullable E ahead;
    private boolean over;

    /**
     * @param source the next event; empty where there is none yet
     * @param ends whether nothing comes after it
     */
    EventStream(ServerEvents events, Supplier<Optional<E>> source, Predicate<E> ends) {
        this.events = events;
        this.source = source;
        this.ends = ends;
    }

    /**
     * Whether there is another event, for which it waits.
     *
     * @throws ParleyException where the server does not give them any more
     * @throws java.io.UncheckedIOException where it does not answer, however often it is asked, or the data of an event
     *     is not JSON; the call after that goes on behind the event
     */
    @Override
    public boolean hasNext() {
        while (ahead == null && !over && !events.isClosed()) {
            ahead = source.get().orElse(null);
        }
        if (ahead == null) {
            events.close();
        }
        return ahead != null;
    }

    @Override
    public E next() {
        if (!hasNext() || ahead == null) {
            throw new NoSuchElementException();
        }
        E event = ahead;
        ahead = null;
        over = ends.test(event);
        return event;
    }

    @Override
    public void close() {
        events.close();
    }
}
