package dev.parley.tools.mcp;

import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.outbound.Outbound;
import dev.parley.tools.mcp.McpServerAddress.Program;
import dev.parley.tools.mcp.McpServerAddress.Web;
import dev.parley.tools.mcp.McpTransport.UnsentException;
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

/**
 * The connections to MCP servers: a bounded pool of which one host has at most three quarters; idle ones are closed
 * after 10 minutes.
 */
final class McpConnections implements AutoCloseable {
    /** Maximum connections. */
    static final int MAX_CONNECTIONS = 64;

    private static final Duration IDLE = Duration.ofMinutes(10);

    private final Outbound outbound;
    private final int max;
    private final int share;
    private final Map<Key, Slot> slots = new HashMap<>();
    private final Thread sweeper;

    /** Projects do not share connections, because servers may keep state per connection. */
    private record Key(UUID host, UUID project, CatalogueScope scope, McpServerAddress server) {}

    private static final class Slot {
        private final McpConnection connection;
        private int users;
        private long idleSince = System.nanoTime();

        Slot(McpConnection connection) {
            this.connection = connection;
        }

        boolean isIdle() {
            return users == 0;
        }

        /** The idle time of the connection in nanoseconds. */
        long idleNanos(long now) {
            return now - idleSince;
        }
    }

    /** Work with a connection. */
    @FunctionalInterface
    interface Use<T> {
        T with(McpConnection connection) throws IOException, InterruptedException;
    }

    McpConnections(Outbound outbound) {
        this(outbound, MAX_CONNECTIONS);
    }

    /** @param max the maximum connections; a host has at most three quarters of them */
    McpConnections(Outbound outbound, int max) {
        this.outbound = outbound;
        this.max = max;
        this.share = max - max / 4;
        this.sweeper = Thread.ofVirtual().name("mcp-idle").start(this::sweep);
    }

    /** Registers gauges of connections, and of those with an open circuit breaker. */
    void measure(MeterRegistry meters) {
        meters.gauge("parley.mcp.connections", this, connections -> connections.count(_ -> true));
        meters.gauge(
                "parley.mcp.servers.backed.off", this, connections -> connections.count(McpConnection::isCircuitOpen));
    }

    private synchronized long count(Predicate<McpConnection> filter) {
        return slots.values().stream()
                .filter(slot -> filter.test(slot.connection))
                .count();
    }

    /**
     * Uses the connection to a server, which stays open meanwhile.
     *
     * @param scope the host or project whose powers the connection has
     */
    <T> T use(UUID host, UUID project, CatalogueScope scope, McpServerAddress server, Use<T> use)
            throws IOException, InterruptedException {
        Slot slot = acquire(new Key(host, project, scope, server));
        try {
            return use.with(slot.connection);
        } finally {
            release(slot);
        }
    }

    private synchronized Slot acquire(Key key) throws UnsentException {
        Slot slot = slots.get(key);
        if (slot == null) {
            requireCapacity(key.host());
            slot = new Slot(new McpConnection(key.server().label(), () -> transport(key)));
            slots.put(key, slot);
        }
        slot.users++;
        return slot;
    }

    /** Closes an idle connection if the pool is full: one of the host if it has reached its share, else any. */
    private void requireCapacity(UUID host) throws UnsentException {
        long usedByHost =
                slots.keySet().stream().filter(key -> key.host().equals(host)).count();
        if (usedByHost >= share && !closeIdlest(key -> key.host().equals(host))) {
            throw new UnsentException("too many MCP servers of this host are in use; try again later");
        }
        if (slots.size() >= max && !closeIdlest(_ -> true)) {
            throw new UnsentException("too many MCP servers are in use; try again later");
        }
    }

    /** Closes the connection that has been idle longest; returns false if none is idle. */
    private boolean closeIdlest(Predicate<Key> filter) {
        long now = System.nanoTime();
        Optional<Map.Entry<Key, Slot>> longest = slots.entrySet().stream()
                .filter(entry -> filter.test(entry.getKey()) && entry.getValue().isIdle())
                .max(Comparator.comparingLong(entry -> entry.getValue().idleNanos(now)));
        longest.ifPresent(entry -> {
            slots.remove(entry.getKey());
            closeLater(entry.getValue());
        });
        return longest.isPresent();
    }

    private static void closeLater(Slot slot) {
        Thread.ofVirtual().start(slot.connection::close);
    }

    private synchronized void release(Slot slot) {
        slot.users--;
        slot.idleSince = System.nanoTime();
    }

    private synchronized void closeIdle() {
        List<Slot> expired = new ArrayList<>();
        long now = System.nanoTime();
        slots.values().removeIf(slot -> slot.isIdle() && slot.idleNanos(now) >= IDLE.toNanos() && expired.add(slot));
        expired.forEach(McpConnections::closeLater);
    }

    private McpTransport transport(Key key) {
        return switch (key.server()) {
            case Web web -> new HttpTransport(web, outbound.in(key.scope()));
            case Program program -> new StdioTransport(program);
        };
    }

    private void sweep() {
        try {
            while (true) {
                Thread.sleep(IDLE.dividedBy(10));
                closeIdle();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public synchronized void close() {
        sweeper.interrupt();
        slots.values().forEach(slot -> slot.connection.close());
        slots.clear();
    }
}
