package dev.parley.server.bench;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import dev.parley.server.Instance;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** How far the views are behind the events. */
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
    Duration awaitNone(Duration most) {
        long begin = System.nanoTime();
        while (records() > 0 && System.nanoTime() - begin < most.toNanos()) {
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
        var done = new HashMap<Integer, Long>();
        Database database = instance.beans().getBean(Database.class);
        try (Connection connection = database.reading(Tenant.NONE);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("select partition, \"offset\" from sessions.projection_offset_t")) {
            while (rows.next()) {
                done.put(rows.getInt(1), rows.getLong(2));
            }
            return done;
        } catch (SQLException e) {
            throw new IllegalStateException("the watermarks could not be read", e);
        }
    }
}
