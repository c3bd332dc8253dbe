package dev.parley.server.bench;

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
        Map<Integer, Long> done = watermarks();
        long behind = 0;
        for (var end : ends().entrySet()) {
            behind += Math.max(0, end.getValue() - done.getOrDefault(end.getKey(), 0L));
        }
        return behind;
    }

    /** Waits until the views show everything. @return how long that took */
    Duration awaitNone(Duration timeout) {
        long begin = System.nanoTime();
        while (records() > 0 && System.nanoTime() - begin < timeout.toNanos()) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        return Duration.ofNanos(System.nanoTime() - begin);
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
                    var done = new HashMap<Integer, Long>();
                    while (rows.next()) {
                        done.put(rows.getInt(1), rows.getLong(2));
                    }
                    return done;
                }));
    }
}
