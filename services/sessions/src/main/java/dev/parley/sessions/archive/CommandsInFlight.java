package dev.parley.sessions.archive;

import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Commands of an import in flight, the oldest first. */
final class CommandsInFlight {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Deque<Ticket> inFlight = new ArrayDeque<>();

    void add(Ticket ticket) {
        inFlight.add(ticket);
    }

    int size() {
        return inFlight.size();
    }

    /** Waits for the outcome of the oldest command. */
    Outcome next() throws IOException {
        try (Ticket ticket = inFlight.remove()) {
            ticket.sent().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            return ticket.outcome().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("no outcome in time; import the archive again to continue", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the process is stopping; import the archive again to continue", e);
        }
    }
}
