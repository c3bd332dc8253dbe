package dev.parley.tools.mcp;

import dev.parley.tools.mcp.McpServer.Program;
import dev.parley.tools.mcp.McpServer.Web;
import dev.parley.tools.mcp.Wire.UnsentException;
import dev.parley.tools.outbound.Outbound;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The servers that are talked to: a bounded number; whoever is not needed for a while is left. */
final class McpConnections implements AutoCloseable {
    /** Most servers at once. */
    static final int MOST = 64;

    private static final Duration IDLE = Duration.ofMinutes(10);

    private final Outbound outbound;
    private final Map<Key, Place> places = new HashMap<>();
    private final Thread sweeper;

    /** What a server remembers of one host it does not say to another. */
    private record Key(UUID host, McpServer server) {}

    private static final class Place {
        private final McpConnection connection;
        private int users;
        private long left = System.nanoTime();

        Place(McpConnection connection) {
            this.connection = connection;
        }

        boolean isIdle(Duration since) {
            return users == 0 && System.nanoTime() - left >= since.toNanos();
        }
    }

    /** What is done with a connection. */
    @FunctionalInterface
    interface Use<T> {
        T with(McpConnection connection) throws IOException, InterruptedException;
    }

    McpConnections(Outbound outbound) {
        this.outbound = outbound;
        this.sweeper = Thread.ofVirtual().name("mcp-idle").start(this::sweep);
    }

    /** Uses the connection to a server, which stays open as long. */
    <T> T use(UUID host, McpServer server, Use<T> use) throws IOException, InterruptedException {
        Place place = enter(new Key(host, server));
        try {
            return use.with(place.connection);
        } finally {
            leave(place);
        }
    }

    private synchronized Place enter(Key key) throws UnsentException {
        Place known = places.get(key);
        if (known == null) {
            if (places.size() >= MOST) {
                remove(Duration.ZERO);
            }
            if (places.size() >= MOST) {
                throw new UnsentException("too many MCP servers are in use; try again later");
            }
            known = new Place(new McpConnection(key.server().label(), () -> wire(key.server())));
            places.put(key, known);
        }
        known.users++;
        return known;
    }

    private synchronized void leave(Place place) {
        place.users--;
        place.left = System.nanoTime();
    }

    private synchronized void remove(Duration idle) {
        List<Place> gone = new ArrayList<>();
        places.values().removeIf(place -> place.isIdle(idle) && gone.add(place));
        gone.forEach(place -> Thread.ofVirtual().start(place.connection::close));
    }

    private Wire wire(McpServer server) {
        return switch (server) {
            case Web web -> new HttpWire(web, outbound);
            case Program program -> new ProgramWire(program);
        };
    }

    private void sweep() {
        try {
            while (true) {
                Thread.sleep(IDLE.dividedBy(10));
                remove(IDLE);
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
