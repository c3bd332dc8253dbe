package dev.parley.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** Searches for words wherever Parley writes: in all topics, in all tables, and in the log from now on. */
final class Leaks implements AutoCloseable {
    /** A column of bytes in a row as text. */
    private static final Pattern BYTES = Pattern.compile("x((?:[0-9a-f]{2}){8,})");

    private final Servers servers;
    private final LogCapture log = new LogCapture();

    Leaks(Servers servers) {
        this.servers = servers;
    }

    /** The complete log. */
    String log() {
        return log.text();
    }

    /** The topics with records that have the word in their keys, values or headers; also those of stores. */
    List<String> topics(String word) throws Exception {
        var found = new TreeSet<String>();
        records((topic, text) -> {
            if (text.contains(word)) {
                found.add(topic);
            }
        });
        return List.copyOf(found);
    }

    /** Visits each key, value and header of all records, also of aborted ones, byte by byte, with its topic. */
    private void records(BiConsumer<String, String> visitor) throws Exception {
        var clients = servers.clients();
        try (var admin = clients.admin("leaks");
                var consumer = clients.consumer("leaks", null, Map.of("isolation.level", "read_uncommitted"))) {
            List<TopicPartition> partitions =
                    admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().values().stream()
                            .flatMap(topic -> topic.partitions().stream()
                                    .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                            .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> endOffsets = consumer.endOffsets(partitions);
            consumer.seekToBeginning(partitions);
            while (endOffsets.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    visitor.accept(record.topic(), text(record.key()));
                    visitor.accept(record.topic(), text(record.value()));
                    record.headers().forEach(header -> visitor.accept(record.topic(), text(header.value())));
                }
            }
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /**
     * The places of words in plain text, hexadecimal or base64 at any byte offset: topics, tables as
     * {@code schema.table} and {@code log}. Tables are read as the superuser, to whom no policy applies.
     */
    Map<String, Set<String>> places(Collection<String> words) throws Exception {
        Map<String, List<String>> forms = words.stream().collect(Collectors.toMap(word -> word, Leaks::forms));
        var found = new TreeMap<String, Set<String>>();
        BiConsumer<String, String> visitor = (place, text) -> forms.forEach((word, wordForms) -> {
            if (wordForms.stream().anyMatch(text::contains)) {
                found.computeIfAbsent(word, _ -> new TreeSet<>()).add(place);
            }
        });
        records(visitor);
        rows(visitor);
        visitor.accept("log", log());
        return found;
    }

    private static List<String> forms(String word) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        String hex = HexFormat.of().formatHex(bytes);
        var forms = new ArrayList<>(List.of(word, hex, hex.toUpperCase(Locale.ROOT)));
        for (int before = 0;
                before < 3;
                before++) { // base64 encodes three bytes as four characters: preceding bytes shift it
            var shifted = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, shifted, before, bytes.length);
            int from = (before * 8 + 5) / 6;
            int to = shifted.length * 8 / 6;
            forms.add(Base64.getEncoder().encodeToString(shifted).substring(from, to));
            forms.add(Base64.getUrlEncoder().encodeToString(shifted).substring(from, to));
        }
        return forms;
    }

    /** Visits each row of all tables of all schemas as text, with its table; columns of bytes also decoded. */
    private void rows(BiConsumer<String, String> visitor) throws SQLException, IOException {
        try (Connection connection = servers.superuser();
                Statement statement = connection.createStatement()) {
            for (String table : strings(statement, """
                    SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
                    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')""")) {
                for (String row : strings(statement, "SELECT t::text FROM " + table + " t")) {
                    visitor.accept(
                            table,
                            row
                                    + BYTES.matcher(row)
                                            .replaceAll(match -> Matcher.quoteReplacement(
                                                    text(HexFormat.of().parseHex(match.group(1))))));
                }
            }
        }
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
        return dev.parley.platform.database.Databases.single(servers.database().owner())
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
        log.close();
    }
}
