package dev.parley.memory.view;

import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.memory.MemorySchema;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Wire;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.projection.Projection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Projects the records of one poll, and moves the watermark, in one transaction. A record that cannot become rows goes to
 * {@code dead-letters} and the others go on: one that cannot be read at once, one that Postgres refuses after its batch was
 * halved until it stood alone.
 */
final class MemoryProjection implements Projection {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryProjection.class);
    private static final String NAME = "memory-projector";

    private record ReadRecord(ConsumerRecord<byte[], byte[]> record, MemoryEvent event) {}

    private final Topic<MemoryEvent> topic;
    private final Database database;
    private final @Nullable Producer<byte[], byte[]> deadLetters;
    private final boolean replays;
    private final ViewSignals signals;
    private long rejected;
    private final Map<Integer, Long> watermarks = new HashMap<>();

    MemoryProjection(Topic<MemoryEvent> topic, Database database, Producer<byte[], byte[]> deadLetters) {
        this(topic, database, deadLetters, new ViewSignals());
    }

    /** @param signals whom to tell what was written */
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
        this.topic = topic;
        this.database = database;
        this.deadLetters = deadLetters;
        this.replays = replays;
        this.signals = signals;
    }

    /** Writes for a replay, to which others stand aside: without counts, and what cannot become rows is on dead-letters already. */
    static MemoryProjection ofReplay(Topic<MemoryEvent> topic, Database database) {
        return new MemoryProjection(topic, database, null, true, new ViewSignals());
    }

    @Override
    public Map<Integer, Long> place(List<Integer> partitions) throws SQLException {
        var rows = new Rows("text int4");
        partitions.forEach(partition -> rows.add(topic.name(), partition));
        var found = new TreeMap<Integer, Long>();
        try (Connection connection = database.begin(Tenant.ALL)) {
            rows.run(connection, """
                    INSERT INTO memory.projection_offset_t (topic, partition, "offset")
                    SELECT topic, partition, 0 FROM $rows AS t (topic, partition) ON CONFLICT DO NOTHING
                    """);
            rows.query(connection, """
                    SELECT partition, "offset" FROM $rows AS t (topic, partition)
                    JOIN memory.projection_offset_t USING (topic, partition)
                    """, row -> found.put(row.getInt(1), row.getLong(2)));
            connection.commit();
        }
        watermarks.putAll(found);
        return found;
    }

    @Override
    public void project(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        if (!next.isEmpty()) {
            write(read(records), next);
        }
    }

    private void write(List<ReadRecord> records, Map<Integer, Long> next) throws SQLException, MovedException {
        try {
            inTransaction(records.stream().map(ReadRecord::event).toList(), next);
        } catch (SQLException e) {
            if (records.isEmpty() || !isAboutData(e)) {
                throw e;
            }
            if (records.size() == 1) {
                reject(records.getFirst().record(), e);
                inTransaction(List.of(), next);
            } else {
                List<ReadRecord> half = records.subList(0, records.size() / 2);
                write(half, after(half));
                write(records.subList(half.size(), records.size()), next);
            }
        }
    }

    private static Map<Integer, Long> after(List<ReadRecord> records) {
        var next = new TreeMap<Integer, Long>();
        records.forEach(readable ->
                next.put(readable.record().partition(), readable.record().offset() + 1));
        return next;
    }

    /** SQL states 22, 23 and 54 are about values; whatever else Postgres says is about Postgres. */
    private static boolean isAboutData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
    }

    /** A tombstone says nothing: what it removes was forgotten by an event before it. */
    private List<ReadRecord> read(List<ConsumerRecord<byte[], byte[]>> records) {
        var readable = new ArrayList<ReadRecord>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.value() != null) {
                try {
                    readable.add(new ReadRecord(record, Wire.read(topic, record)));
                } catch (SerializationException e) {
                    reject(record, e);
                }
            }
        }
        return readable;
    }

    private void inTransaction(List<MemoryEvent> events, Map<Integer, Long> next) throws SQLException, MovedException {
        var moves = new Rows("text int4 int8 int8");
        next.forEach((partition, offset) ->
                moves.add(topic.name(), partition, watermarks.getOrDefault(partition, 0L), offset));
        try (Connection connection = database.begin(Tenant.ALL)) {
            if (!replays) {
                standAside(connection);
            } else if (!DeferredIndexes.isKept(connection)) {
                throw new MovedException("somebody else has taken the replay's place");
            }
            int moved = moves.run(connection, """
                    UPDATE memory.projection_offset_t o SET "offset" = t.next
                    FROM $rows AS t (topic, partition, expected, next)
                    WHERE o.topic = t.topic AND o.partition = t.partition AND o."offset" = t.expected
                    """); // the row locks keep everybody else away from these partitions
            if (moved != next.size()) {
                throw new MovedException("the watermark is not where this instance left it");
            }
            new MemoryViews(connection, !replays).write(events);
            connection.commit();
        }
        watermarks.putAll(next);
        if (signals.isWatched()) {
            events.forEach(this::tell);
        }
    }

    private void tell(MemoryEvent event) {
        if (event instanceof PassagesEmbedded embedded) {
            signals.read(embedded.docId());
        }
    }

    /** How many records could not become rows. */
    long rejected() {
        return rejected;
    }

    private static void standAside(Connection connection) throws SQLException, MovedException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT pg_try_advisory_xact_lock_shared(?), EXISTS (SELECT FROM memory.replay_deferred_t)")) {
            statement.setLong(1, MemorySchema.REPLAY_LOCK);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    throw new MovedException("a replay is at work");
                }
                if (row.getBoolean(2)) {
                    throw new MovedException("a replay was killed, and the tables are being made ready");
                }
            }
        }
    }

    private void reject(ConsumerRecord<byte[], byte[]> record, Exception cause) {
        LOG.atWarn()
                .addKeyValue("topic", record.topic())
                .addKeyValue("partition", record.partition())
                .addKeyValue("offset", record.offset())
                .addKeyValue("cause", cause.toString())
                .log("an event cannot be projected and goes to dead-letters");
        rejected++;
        if (deadLetters == null) {
            return;
        }
        try {
            deadLetters.send(DeadLetters.of(record, NAME, cause)).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }
}
