package dev.parley.bench;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.server.Instance;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** The lag of the session projector behind {@code turn-events}. */
final class ProjectionLag {
    private final Instance instance;

    ProjectionLag(Instance instance) {
        this.instance = instance;
    }

    /** Records of {@code turn-events} that no view shows yet. */
    long records() {
        Map<Integer, Long> watermarks = watermarks();
        long lag = 0;
        for (var end : ends().entrySet()) {
            lag += Math.max(0, end.getValue() - watermarks.getOrDefault(end.getKey(), 0L));
        }
        return lag;
    }

    /** Waits until the views show everything; returns how long that took. */
    Duration awaitNone(Duration timeout) {
        long start = System.nanoTime();
        while (records() > 0 && System.nanoTime() - start < timeout.toNanos()) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private Map<Integer, Long> ends() {
        KafkaClients clients = instance.beans().getBean(KafkaClients.class);
        try (var ends = new TopicEnds(clients, Topics.TURN_EVENTS, Duration.ofSeconds(30))) {
            return ends.now();
        }
    }

    private Map<Integer, Long> watermarks() {
        String sql = "select partition, \"offset\" from sessions.projection_offset_t";
        Database database = instance.beans().getBean(Database.class);
        return database.in(
                Tenant.NONE,
                transaction -> transaction.query(sql, rows -> {
                    var watermarks = new HashMap<Integer, Long>();
                    while (rows.next()) {
                        watermarks.put(rows.getInt(1), rows.getLong(2));
                    }
                    return watermarks;
                }));
    }
}
