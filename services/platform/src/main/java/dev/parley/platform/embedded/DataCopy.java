package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of the data folder that a process is running on; a process that starts on the copy continues from there, as
 * after a kill. The database is copied first, then the broker, so that the broker has all that the database refers to,
 * and what the database lacks is projected again. Files come last.
 *
 * <p>The files of the broker are consistent with each other as of one moment: the process is halted while they get
 * second names, for a fraction of a second. Its logs only grow, so their bytes up to that moment are copied afterwards.
 */
public final class DataCopy {
    private static final Pattern LOG = Pattern.compile("\\d{20}(-\\d{10})?\\.log(\\..*)?");
    /** Made anew from the logs. */
    private static final Pattern OMITTED =
            Pattern.compile(".*\\.(?:index|timeindex|txnindex)(?:\\..*)?|\\.lock|\\.kafka_cleanshutdown|.*\\.deleted");

    private static final List<String> ANEW = List.of("streams", "runtime.json", "parley.lock", "postgres.new");

    private final Path data;
    private final Path target;
    private final long pid;

    private DataCopy(Path data, Path target, long pid) {
        this.data = data;
        this.target = target;
        this.pid = pid;
    }

    /**
     * Copies the data folder of a running process.
     *
     * @param target an empty folder, best on the same file system: elsewhere the process is halted until the broker's
     *     files are copied
     * @return how long the process was halted
     * @throws StartupException if no other process runs on the folder, or the target is not empty
     */
    public static Duration take(Path data, Path target) throws IOException, SQLException, InterruptedException {
        Path folder = data.toRealPath();
        long pid = DataFolder.holder(folder)
                .filter(holder -> holder != ProcessHandle.current().pid())
                .orElseThrow(() -> new StartupException(
                        "No other process runs on " + folder + ": deploy/backup/backup.sh backs it up as it is."));
        PrivateFiles.createFolder(target);
        try (Stream<Path> children = Files.list(target)) {
            if (children.findAny().isPresent()) {
                throw new StartupException(target + " is not empty: nothing is overwritten.");
            }
        }
        return new DataCopy(folder, target.toRealPath(), pid).run();
    }

    private Duration run() throws IOException, SQLException, InterruptedException {
        String password = PrivateFiles.read(data.resolve("postgres.password"))
                .orElseThrow(() -> new StartupException(data + " has no embedded database."));
        PostgresCopy.of(data.resolve("postgres"), password, target.resolve("postgres"));
        var sizes = new HashMap<Path, Long>();
        long start;
        long end;
        try (var _ = HaltedProcess.of(pid)) {
            start = System.nanoTime();
            linkBroker(data.resolve("kafka").toRealPath(), target.resolve("kafka"), sizes);
            end = System.nanoTime();
        }
        for (Map.Entry<Path, Long> log : sizes.entrySet()) {
            FileCopies.detach(log.getKey(), log.getValue());
        }
        copyRest();
        return Duration.ofNanos(end - start);
    }

    /** @param growing gets the log of each partition to which the broker appends, with its size */
    private static void linkBroker(Path from, Path to, Map<Path, Long> growing) throws IOException {
        Files.createDirectory(to);
        var logs = new TreeMap<String, Path>();
        try (Stream<Path> children = Files.list(from)) {
            for (Path child : children.toList()) {
                String name = child.getFileName().toString();
                if (Files.isDirectory(child)) {
                    linkBroker(child, to.resolve(name), growing);
                } else if (LOG.matcher(name).matches()) {
                    FileCopies.link(child, to.resolve(name));
                    logs.put(name, child);
                } else if (!OMITTED.matcher(name).matches()) {
                    FileCopies.copy(child, to.resolve(name));
                }
            }
        }
        if (!logs.isEmpty()) {
            Map.Entry<String, Path> last = logs.lastEntry();
            growing.put(to.resolve(last.getKey()), Files.size(last.getValue()));
        }
    }

    private void copyRest() throws IOException {
        try (Stream<Path> children = Files.list(data)) {
            for (Path child : children.toList()) {
                String name = child.getFileName().toString();
                if (!Files.exists(target.resolve(name)) && !isMadeAnew(name, Files.isDirectory(child))) {
                    copyTree(child, target.resolve(name));
                }
            }
        }
    }

    /** As those that backup.sh leaves out: also programs of Postgres, and copies that were interrupted. */
    private static boolean isMadeAnew(String name, boolean isFolder) {
        return ANEW.contains(name) || isFolder && (name.startsWith("postgres-") || name.startsWith("copy."));
    }

    private static void copyTree(Path from, Path to) throws IOException {
        boolean areBlobs = to.getFileName().toString().equals("blobs");
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (areBlobs && folder.equals(from.resolve("incoming"))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                PrivateFiles.createFolder(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path copy = file.equals(from) ? to : to.resolve(from.relativize(file));
                if (areBlobs) {
                    FileCopies.link(file, copy);
                } else {
                    FileCopies.copy(file, copy);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }
}
