package dev.parley.tools.mcp;

import dev.parley.platform.outbound.Outbound;
import dev.parley.tools.mcp.McpServer.Program;
import dev.parley.tools.mcp.McpServer.Web;
import dev.parley.tools.mcp.McpWire.UnsentException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** The servers that are talked to: a bounded number, of which no host has all; whoever is not needed for a while is left. */
final class McpConnections implements AutoCloseable {
    /** Most servers at once. */
    static final int MOST = 64;

    private static final Duration IDLE = Duration.ofMinutes(10);

    private final Outbound outbound;
    private final int most;
    private final int share;
    private final Map<Key, Place> places = new HashMap<>();
    private final Thread sweeper;

    /** What a server remembers of one project it does not say to another. */
    private record Key(UUID host, UUID project, McpServer server) {}

    private static final class Place {
        private final McpConnection connection;
        private int users;
        private long left = System.nanoTime();

        Place(McpConnection connection) {
            this.connection = connection;
        }

        boolean isIdle() {
            return users == 0;
        }

        /** For how many nanoseconds nobody has needed it. */
        long idle(long now) {
            return now - left;
        }
    }

    /** What is done with a connection. */
    @FunctionalInterface
    interface Use<T> {
        T with(McpConnection connection) throws IOException, InterruptedException;
    }

    McpConnections(Outbound outbound) {
        this(outbound, MOST);
    }

    /** @param most servers at once; a host has three quarters of them at most */
    McpConnections(Outbound outbound, int most) {
        this.outbound = outbound;
        this.most = most;
        this.share = most - most / 4;
        this.sweeper = Thread.ofVirtual().name("mcp-idle").start(this::sweep);
    }

    /** Says how many servers are connected, and how many of them are let alone as they fail. */
    void measure(MeterRegistry meters) {
        meters.gauge("parley.mcp.connections", this, all -> all.count(_ -> true));
        meters.gauge("parley.mcp.servers.resting", this, all -> all.count(McpConnection::isResting));
    }

    private synchronized long count(Predicate<McpConnection> which) {
        return places.values().stream()
                .filter(place -> which.test(place.connection))
                .count();
    }

    /** Uses the connection to a server, which stays open as long. */
    <T> T use(UUID host, UUID project, McpServer server, Use<T> use) throws IOException, InterruptedException {
        Place place = enter(new Key(host, project, server));
        try {
            return use.with(place.connection);
        } finally {
            leave(place);
        }
    }

    private synchronized Place enter(Key key) throws UnsentException {
        Place known = places.get(key);
        if (known == null) {
            makeRoom(key.host());
            known = new Place(new McpConnection(key.server().label(), () -> wire(key.server())));
            places.put(key, known);
        }
        known.users++;
        return known;
    }

    /** A host that has its share leaves one of its own; one that has less takes what nobody needs, whoever has it. */
    private void makeRoom(UUID host) throws UnsentException {
        long own =
                places.keySet().stream().filter(key -> key.host().equals(host)).count();
        if (own >= share && !leaveOne(key -> key.host().equals(host))) {
            throw new UnsentException("too many MCP servers of this host are in use; try again later");
        }
        if (places.size() >= most && !leaveOne(_ -> true)) {
            throw new UnsentException("too many MCP servers are in use; try again later");
        }
    }

    /** Leaves the server that was not needed for longest; false where all are needed. */
    private boolean leaveOne(Predicate<Key> which) {
        long now = System.nanoTime();
        Optional<Map.Entry<Key, Place>> longest = places.entrySet().stream()
                .filter(entry -> which.test(entry.getKey()) && entry.getValue().isIdle())
                .max(Comparator.comparingLong(entry -> entry.getValue().idle(now)));
        longest.ifPresent(entry -> {
            places.remove(entry.getKey());
            leftAlone(entry.getValue());
        });
        return longest.isPresent();
    }

    private static void leftAlone(Place place) {
        Thread.ofVirtual().start(place.connection::close);
    }

    private synchronized void leave(Place place) {
        place.users--;
        place.left = System.nanoTime();
    }

    private synchronized void leaveIdle() {
        List<Place> gone = new ArrayList<>();
        long now = System.nanoTime();
        places.values().removeIf(place -> place.isIdle() && place.idle(now) >= IDLE.toNanos() && gone.add(place));
        gone.forEach(McpConnections::leftAlone);
    }

    private McpWire wire(McpServer server) {
        return switch (server) {
            case Web web -> new HttpWire(web, outbound);
            case Program program -> new ProgramWire(program);
        };
    }

    private void sweep() {
        try {
            while (true) {
                Thread.sleep(IDLE.dividedBy(10));
                leaveIdle();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public synchronized void close() {
        sweeper.interrupt();
        places.values().forEach(place -> place.connection.close());
        places.clear();
    }
}
