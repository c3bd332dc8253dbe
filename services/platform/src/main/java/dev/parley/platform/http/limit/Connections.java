package dev.parley.platform.http.limit;

import dev.parley.platform.http.limit.Connections.Member;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, in total and by address. At a limit a new connection takes the place of the one that has kept
 * the server waiting for longest, so that silent clients exclude nobody; it is refused where all are in use.
 *
 * @param <C> a connection
 */
final class Connections<C extends Member> {
    private final int limit;
    private final int eachAddress;
    private final Map<String, Address<C>> addresses = new HashMap<>();
    /** Connections that wait for their client, the longest first. */
    private final SequencedSet<C> waiting = new LinkedHashSet<>();

    private int open;

    /** A connection. */
    interface Member {
        /** The client's address. */
        String address();

        /** Whether many clients have the address, such as that of a proxy on this machine. */
        boolean isShared();
    }

    private static final class Address<C> {
        private final SequencedSet<C> waiting = new LinkedHashSet<>();
        private int open;
    }

    Connections(int limit, int eachAddress) {
        this.limit = limit;
        this.eachAddress = eachAddress;
    }

    /**
     * The answer to a new connection.
     *
     * @param admitted whether it may stay
     * @param evicted a connection to close in its place
     */
    record Admission<C>(boolean admitted, Optional<C> evicted) {}

    /** Decides about a new connection, which waits for its client if it is admitted. */
    synchronized Admission<C> open(C connection) {
        Address<C> address = addresses.get(connection.address());
        SequencedSet<C> candidates = candidates(connection, address);
        Optional<C> evicted = Optional.empty();
        if (candidates != null) {
            if (candidates.isEmpty()) {
                return new Admission<>(false, evicted);
            }
            evicted = Optional.of(candidates.getFirst());
            waits(candidates.getFirst(), false);
        }
        addresses.computeIfAbsent(connection.address(), _ -> new Address<>()).open++;
        open++;
        waits(connection, true);
        return new Admission<>(true, evicted);
    }

    /** The connections of which one must make room; null where there is some. */
    private @Nullable SequencedSet<C> candidates(C connection, @Nullable Address<C> address) {
        if (address != null && !connection.isShared() && address.open >= eachAddress) {
            return address.waiting;
        }
        return open >= limit ? waiting : null;
    }

    /** The connection waits for its client from now on, or no longer. */
    synchronized void waits(C connection, boolean waits) {
        Address<C> address = addresses.get(connection.address());
        if (address != null && waits) {
            waiting.add(connection);
            address.waiting.add(connection);
        } else if (address != null) {
            waiting.remove(connection);
            address.waiting.remove(connection);
        }
    }

    /** An admitted connection has ended. */
    synchronized void close(C connection) {
        waits(connection, false);
        open--;
        Address<C> address = addresses.get(connection.address());
        if (address != null && --address.open == 0) {
            addresses.remove(connection.address());
        }
    }

    synchronized int size() {
        return open;
    }
}
