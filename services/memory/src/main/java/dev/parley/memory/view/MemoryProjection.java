package dev.parley.memory.view;

import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.EventProjection;
import dev.parley.platform.projection.MovedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Projects memory events into the tables. */
final class MemoryProjection extends EventProjection<MemoryEvent> {
    private final boolean replays;
    private final ViewSignals signals;

    MemoryProjection(Topic<MemoryEvent> topic, Database database, Producer<byte[], byte[]> deadLetters) {
        this(topic, database, deadLetters, new ViewSignals());
    }

    /** @param signals is notified of documents of which a chunk was processed */
    MemoryProjection(
            Topic<MemoryEvent> topic, Database database, Producer<byte[], byte[]> deadLetters, ViewSignals signals) {
        this(topic, database, deadLetters, false, signals);
    }

    private MemoryProjection(
            Topic<MemoryEvent> topic,
            Database database,
            @Nullable Producer<byte[], byte[]> deadLetters,
            boolean replays,
            ViewSignals signals) {
        super("memory-projector", topic, "memory.projection_offset_t", database, deadLetters);
        this.replays = replays;
        this.signals = signals;
    }

    /**
     * For a replay, which blocks projectors: defers counts, and drops records that cannot become rows, as they were
     * dead-lettered before.
     */
    static MemoryProjection ofReplay(Topic<MemoryEvent> topic, Database database) {
        return new MemoryProjection(topic, database, null, true, new ViewSignals());
    }

    @Override
    protected void admit(Connection connection) throws SQLException, MovedException {
        if (replays) {
            require(DeferredIndexes.isKept(connection), "another process has taken over the replay");
        } else {
            require(MemoryReplay.LOCK.share(connection), "a replay is running");
            require(!DeferredIndexes.isLeft(connection), "a replay was killed, and the tables are being completed");
        }
    }

    private static void require(boolean held, String problem) throws MovedException {
        if (!held) {
            throw new MovedException(problem);
        }
    }

    @Override
    protected Map<Integer, Exception> write(Connection connection, List<MemoryEvent> events) throws SQLException {
        new MemoryViews(connection, !replays).write(events);
        return Map.of();
    }

    @Override
    protected void onWritten(List<MemoryEvent> events) {
        if (signals.isWatched()) {
            events.forEach(this::signal);
        }
    }

    private void signal(MemoryEvent event) {
        if (event instanceof PassagesEmbedded embedded) {
            signals.read(embedded.docId());
        }
    }
}
