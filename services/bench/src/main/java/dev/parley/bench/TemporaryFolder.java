package dev.parley.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A temporary folder that is deleted when a benchmark ends or is interrupted. */
final class TemporaryFolder implements AutoCloseable {
    /** Time limit for an interrupted benchmark to stop its processes. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final Path path;
    private final Thread owner = Thread.currentThread();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread stopped = new Thread(this::stop, "bench-stop");

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /** Creates a folder, owned by the current thread. */
    static TemporaryFolder create() throws IOException {
        var folder = new TemporaryFolder(Files.createTempDirectory("parley-bench"));
        Runtime.getRuntime().addShutdownHook(folder.stopped);
        return folder;
    }

    Path path() {
        return path;
    }

    private void stop() {
        owner.interrupt();
        try {
            if (!closed.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                delete();
            }
        } catch (InterruptedException | IOException e) {
            System.err.println(path + " is left: " + e);
        }
    }

    private void delete() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        delete();
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(stopped);
        } catch (IllegalStateException e) {
            // the JVM is shutting down
        }
    }
}
