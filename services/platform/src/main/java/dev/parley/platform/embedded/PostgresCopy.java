package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.postgresql.PGProperty;

/**
 * Copies the data directory of a running Postgres by its own protocol of online backups
 * (https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP): a server that starts
 * on the copy recovers to the moment at which copying ended.
 */
final class PostgresCopy {
    /** Folders whose files the server makes anew. */
    private static final Set<String> EMPTIED = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans");

    private static final Set<String> OMITTED = Set.of("postmaster.pid", "postmaster.opts", "backup_label", "pgsql_tmp");
    private static final Pattern FIRST_SEGMENT = Pattern.compile("\\(file ([0-9A-F]{24})\\)");
    private static final int SOCKET_TIMEOUT_S = 600;
    /** Line of postmaster.pid, from 0. */
    private static final int PORT_LINE = 3;

    private PostgresCopy() {}

    /**
     * Copies the directory.
     *
     * @param password of the superuser
     * @param target does not exist
     */
    static void of(Path directory, String password, Path target) throws IOException, SQLException {
        try (Connection connection = connect(directory, password);
                Statement statement = connection.createStatement()) {
            // The log that the copy needs stays until this connection ends.
            statement.execute(
                    "SELECT pg_create_physical_replication_slot('parley_copy_' || pg_backend_pid(), true, true)");
            statement.execute("SELECT pg_backup_start('parley', true)");
            Files.createDirectory(target);
            copy(directory, target);
            String label;
            try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                label = row.getString(1);
            }
            Files.writeString(target.resolve("backup_label"), label);
            copyLog(directory.resolve("pg_wal"), target.resolve("pg_wal"), label);
        }
    }

    private static Connection connect(Path directory, String password) throws IOException, SQLException {
        String port = Files.readAllLines(directory.resolve("postmaster.pid"))
                .get(PORT_LINE)
                .strip();
        var properties = new Properties();
        PGProperty.USER.set(properties, PostgresCluster.SUPERUSER);
        PGProperty.PASSWORD.set(properties, password);
        PGProperty.SOCKET_TIMEOUT.set(properties, SOCKET_TIMEOUT_S);
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", properties);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> children = Files.list(from)) {
            for (Path child : children.toList()) {
                String name = child.getFileName().toString();
                Path copy = to.resolve(name);
                if (OMITTED.contains(name)) {
                    continue;
                }
                if (!Files.isDirectory(child)) {
                    FileCopies.copy(child, copy);
                } else {
                    Files.createDirectory(copy);
                    if (!EMPTIED.contains(name)) {
                        copy(child, copy);
                    }
                }
            }
        }
    }

    private static void copyLog(Path from, Path to, String label) throws IOException {
        Matcher first = FIRST_SEGMENT.matcher(label);
        if (!first.find()) {
            throw new IOException("Postgres does not say where its copy begins: " + label);
        }
        try (Stream<Path> segments = Files.list(from)) {
            for (Path segment : segments.toList()) {
                String name = segment.getFileName().toString();
                if (name.matches("[0-9A-F]{24}") && name.compareTo(first.group(1)) >= 0) {
                    FileCopies.copy(segment, to.resolve(name));
                }
            }
        }
        Files.createDirectory(to.resolve("archive_status"));
        if (!Files.exists(to.resolve(first.group(1)))) {
            throw new IOException("Postgres removed the log that the copy needs: " + first.group(1));
        }
    }
}
