package dev.parley.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The started parts of a process, which end within one deadline. A stage ends before the next one begins; the parts of
 * a stage end in parallel. A part that takes longer than its stage may, such as
 * one that waits for a database that does not answer, is left to the end of the process: what it had not committed is
 * repeated after the next start.
 */
final class StartedParts implements AutoCloseable {
    /** Longest time from {@link #close} until everything has ended, without the additional time of requests. */
    private static final Duration LIMIT = Duration.ofSeconds(9);

    private static final Logger LOG = LoggerFactory.getLogger(StartedParts.class);

    /** The stages in the order in which they end. Each leaves the later ones their time. */
    enum Stage {
        /** Takes requests. */
        HTTP(11),
        /** Follows topics, makes calls, writes tables. */
        WORK(39),
        /** Decides: the topologies. */
        DECISIONS(13),
        /** Carries the records of the other stages: directories, publishers. */
        RECORDS(7),
        /** The beans, with the connection pool. */
        BEANS(7),
        /** The embedded broker and database. */
        INFRASTRUCTURE(22),
        /** The lock of the data folder. */
        FOLDER(1);

        /** First {@code @Order} of a service that works, and of one that decides. */
        private static final int FIRST_WORKER = 29;

        private static final int FIRST_TOPOLOGY = 10;

        /** Part of the limit that earlier stages leave to it. */
        private final int percent;

        Stage(int percent) {
            this.percent = percent;
        }

        /** The stage of a service, by the order in which services start. */
        static Stage ofService(int order) {
            if (order >= FIRST_WORKER) {
                return WORK;
            }
            return order >= FIRST_TOPOLOGY ? DECISIONS : RECORDS;
        }

        /** Time of the later stages. */
        private Duration after(Duration limit) {
            int sum = Stream.of(values())
                    .filter(stage -> stage.compareTo(this) > 0)
                    .mapToInt(stage -> stage.percent)
                    .sum();
            return limit.multipliedBy(sum).dividedBy(100);
        }
    }

    private record Part(String name, AutoCloseable closeable) {}

    private final Duration limit;
    private final Duration http;
    private final Map<Stage, List<Part>> parts = new EnumMap<>(Stage.class);

    /** @param http time that running requests have in addition to {@link #LIMIT} */
    StartedParts(Duration http) {
        this(LIMIT, http);
    }

    StartedParts(Duration limit, Duration http) {
        this.limit = limit;
        this.http = http;
    }

    /** Closes the part in its stage. */
    synchronized <T extends AutoCloseable> T add(Stage stage, String name, T part) {
        parts.computeIfAbsent(stage, key -> new ArrayList<>()).add(new Part(name, part));
        return part;
    }

    /** Ends all parts, and says which have not ended in time. */
    @Override
    public synchronized void close() {
        long start = System.nanoTime();
        var late = new ArrayList<String>();
        for (Stage stage : Stage.values()) {
            List<Part> ending = parts.remove(stage);
            if (ending != null) {
                Duration time = limit.minus(stage.after(limit)).plus(http);
                late.addAll(end(ending, start + time.toNanos()));
            }
        }
        if (!late.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("parts", late)
                    .addKeyValue("ms", millisSince(start))
                    .log("stopped, without waiting longer for parts that did not end in time");
        }
    }

    /** Ends parts in parallel; returns those that have not ended at the time of {@link System#nanoTime}. */
    private static List<String> end(List<Part> ending, long nanoTime) {
        Map<Part, CompletableFuture<Void>> running = new LinkedHashMap<>();
        for (Part part : ending) {
            var done = new CompletableFuture<Void>();
            running.put(part, done);
            Thread.ofPlatform().daemon().name("stop " + part.name()).start(() -> end(part, done));
        }
        var late = new ArrayList<String>();
        running.forEach((part, done) -> {
            if (!isDoneAt(done, nanoTime)) {
                late.add(part.name());
            }
        });
        return late;
    }

    private static void end(Part part, CompletableFuture<Void> done) {
        long start = System.nanoTime();
        try {
            part.closeable().close();
            LOG.atDebug()
                    .addKeyValue("part", part.name())
                    .addKeyValue("ms", millisSince(start))
                    .log("stopped");
        } catch (Exception e) {
            LOG.atWarn().setCause(e).addKeyValue("part", part.name()).log("did not stop cleanly");
        } finally {
            done.complete(null);
        }
    }

    private static boolean isDoneAt(CompletableFuture<Void> done, long nanoTime) {
        try {
            done.get(Math.max(0, nanoTime - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return done.isDone();
        }
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }
}
