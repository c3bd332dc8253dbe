package dev.parley.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.platform.kafka.KafkaClients;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.LoggerFactory;

/** Looks for a word wherever Parley writes something: in all topics, in all tables, in the log from now on. */
final class Leaks implements AutoCloseable {
    private final Servers servers;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    Leaks(Servers servers) {
        this.servers = servers;
        log.list = new CopyOnWriteArrayList<>(); // read while it grows
        log.start();
        root().addAppender(log);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /** All of the log. */
    String log() {
        return log.list.stream()
                .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .collect(Collectors.joining("\n"));
    }

    /** The topics with records that have the word in their keys, values or headers; also those of stores. */
    List<String> topics(String word) throws Exception {
        var clients = KafkaClients.of(servers.kafka().bootstrap());
        try (var admin = clients.admin("leaks");
                var consumer = clients.consumer("leaks", null, Map.of("isolation.level", "read_uncommitted"))) {
            List<TopicPartition> partitions =
                    admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().values().stream()
                            .flatMap(topic -> topic.partitions().stream()
                                    .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                            .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            consumer.seekToBeginning(partitions);
            var found = new ArrayList<String>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    if (has(record, word)) {
                        found.add(record.topic());
                    }
                }
            }
            return found.stream().distinct().sorted().toList();
        }
    }

    private static boolean has(ConsumerRecord<byte[], byte[]> record, String word) {
        return has(record.key(), word)
                || has(record.value(), word)
                || StreamSupport.stream(record.headers().spliterator(), false)
                        .anyMatch(header -> has(header.value(), word));
    }

    private static boolean has(byte[] bytes, String word) {
        return bytes != null && new String(bytes, StandardCharsets.ISO_8859_1).contains(word);
    }

    /** The tables with rows that have the word in any column, as text or as bytes. */
    List<String> tables(String word) throws SQLException {
        String hex = HexFormat.of().formatHex(word.getBytes(StandardCharsets.UTF_8));
        try (Connection connection = owner();
                Statement statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            var found = new ArrayList<String>();
            for (String table : strings(statement, """
                    SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'""")) {
                String sql = "SELECT 'found' FROM %s t WHERE t::text LIKE '%%%s%%' OR t::text LIKE '%%%s%%' LIMIT 1"
                        .formatted(table, word, hex);
                if (!strings(statement, sql).isEmpty()) {
                    found.add(table);
                }
            }
            return found;
        }
    }

    /** A connection of the owner of the tables. */
    Connection owner() throws SQLException {
        return dev.parley.platform.database.Databases.single(
                        servers.postgres().database().owner())
                .getConnection();
    }

    static List<String> strings(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(String.valueOf(rows.getString(1)));
            }
            return found;
        }
    }

    @Override
    public void close() {
        root().detachAppender(log);
    }
}
