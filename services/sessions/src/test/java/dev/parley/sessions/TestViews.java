package dev.parley.sessions;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.testkit.TestInfra;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A migrated database and a topic of events of a test's own. */
public final class TestViews implements AutoCloseable {
    public static final int PARTITIONS = 2;
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private final DataSource owner;
    private final Database app;
    private final KafkaClients clients;
    private final Topic<TurnEvent> topic;
    private final Producer<byte[], byte[]> producer;
    private final PostgresDatabase database;

    public TestViews() {
        database = TestInfra.newDatabase();
        owner = dataSource(database.owner());
        app = Database.of(dataSource(database.app()));
        SessionsSchema.migrate(owner, database.app().user());
        clients = TestInfra.kafka().clients();
        topic = new Topic<>(
                "turn-events-" + TOPICS.incrementAndGet(),
                TurnEvent.class,
                "session#seq",
                Topic.Cleanup.COMPACT,
                null,
                8 << 20);
        try (var admin = clients.admin("test")) {
            new TopicAdmin(admin, PARTITIONS, (short) 1).createMissing();
            admin.createTopics(List.of(
                            new NewTopic(topic.name(), PARTITIONS, (short) 1).configs(TopicAdmin.configs(topic))))
                    .all()
                    .get();
            awaitLeaders(admin);
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        producer = clients.producer("test");
    }

    /**
     * Waits until all partitions have a leader. A broker lists a topic earlier; an idempotent producer loses a first
     * batch sent in between if the next one is accepted (KAFKA-15591).
     */
    private void awaitLeaders(Admin admin) {
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            latest.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> admin.listOffsets(latest).all().get().size() == PARTITIONS);
    }

    private static DataSource dataSource(DatabaseLogin login) {
        var source = new PGSimpleDataSource();
        source.setUrl(login.url());
        source.setUser(login.user());
        source.setPassword(login.password());
        return source;
    }

    public DataSource owner() {
        return owner;
    }

    public Database app() {
        return app;
    }

    public PostgresDatabase database() {
        return database;
    }

    public KafkaClients clients() {
        return clients;
    }

    public Topic<TurnEvent> topic() {
        return topic;
    }

    /** Publishes events, as the turn topology does. */
    public void publish(List<TurnEvent> events) {
        var sent = new ArrayList<Future<?>>();
        for (TurnEvent event : events) {
            String key = event.meta().key() + "#" + event.meta().seq();
            sent.add(producer.send(RecordCodec.record(topic, partition(event), key, event, UUID.randomUUID(), null)));
        }
        await(sent);
    }

    public static int partition(TurnEvent event) {
        byte[] key = event.meta().key().toString().getBytes(StandardCharsets.UTF_8);
        return Utils.toPositive(Utils.murmur2(key)) % PARTITIONS;
    }

    /** Publishes bytes that are no record of the topic. */
    public void publish(int partition, String key, byte @Nullable [] value) {
        await(List.of(producer.send(
                new ProducerRecord<>(topic.name(), partition, key.getBytes(StandardCharsets.UTF_8), value))));
    }

    private static void await(List<? extends Future<?>> sent) {
        try {
            for (Future<?> future : sent) {
                future.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many records the topic has. */
    public long published() {
        try (var consumer = clients.consumer("ends", null, Map.of())) {
            var partitions = KafkaClients.partitions(consumer, topic);
            return consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    /** How many of them are projected. */
    public long projected() {
        return query(
                        "SELECT coalesce(sum(\"offset\"), 0)::int8 FROM sessions.projection_offset_t WHERE topic = ?",
                        topic.name())
                .getFirst()
                .values()
                .stream()
                .mapToLong(value -> (Long) value)
                .sum();
    }

    /** Rows of all hosts as the owner sees them, each by column name. */
    public List<Map<String, Object>> query(String sql, Object... parameters) {
        return query(Database.of(owner), Tenant.ALL, sql, parameters);
    }

    /** Rows that a tenant sees. */
    public static List<Map<String, Object>> query(Database database, Tenant tenant, String sql, Object... parameters) {
        try (Connection connection = database.begin(tenant);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            boolean found = statement.execute();
            var rows = new ArrayList<Map<String, Object>>();
            ResultSet result = statement.getResultSet();
            while (found && result.next()) {
                var row = new java.util.LinkedHashMap<String, Object>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.put(result.getMetaData().getColumnLabel(i), result.getObject(i));
                }
                rows.add(row);
            }
            connection.commit();
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The one value of the one row. */
    public Object value(String sql, Object... parameters) {
        return query(sql, parameters).getFirst().values().iterator().next();
    }

    @Override
    public void close() {
        producer.close();
    }
}
