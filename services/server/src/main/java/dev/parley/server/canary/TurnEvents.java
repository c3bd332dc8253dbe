package dev.parley.server.canary;

import dev.parley.platform.clock.Deadline;
import dev.parley.server.client.ServerSentEvents;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Follows the event streams of turns. An interrupted stream resumes after the last event. */
final class TurnEvents implements AutoCloseable {
    /** The maximum time on one stream before the turn itself is polled, as events may be lost. */
    private static final Duration ONE_STREAM = Duration.ofSeconds(15);

    private final CanaryClient client;
    private final CanaryStatistics statistics;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("canary-streams").factory());

    TurnEvents(CanaryClient client, CanaryStatistics statistics) {
        this.client = client;
        this.statistics = statistics;
    }

    /**
     * The position up to which the events of a turn were read.
     *
     * @param ended whether the last event ends the turn
     * @param last the id of the last event, or null
     */
    record Progress(boolean ended, @Nullable String last) {
        static final Progress NONE = new Progress(false, null);
    }

    /**
     * Reads events until the turn ends, the stream breaks, or the deadline.
     *
     * @param after as {@link Progress#last}
     */
    Progress follow(String path, @Nullable String after, Deadline deadline) throws InterruptedException {
        Duration timeout = deadline.left(ONE_STREAM);
        var reader = new Reader(after);
        try {
            HttpResponse<InputStream> response = client.events(path, after, timeout);
            try (InputStream body = response.body()) {
                if (response.statusCode() == 200) {
                    var alarm = clock.schedule(() -> close(body), timeout.toNanos(), TimeUnit.NANOSECONDS);
                    reader.read(new ServerSentEvents(body));
                    alarm.cancel(false);
                } else {
                    statistics.countRetry(Integer.toString(response.statusCode()));
                }
            }
        } catch (IOException e) {
            statistics.countRetry("broken");
            client.refresh();
        }
        return new Progress(reader.ended, reader.last);
    }

    /** Reads events up to the end of the turn; keeps its position when the stream breaks. */
    private static final class Reader {
        private @Nullable String last;
        private boolean ended;

        Reader(@Nullable String last) {
            this.last = last;
        }

        void read(ServerSentEvents events) throws IOException {
            var event = events.next();
            while (event != null) {
                last = event.id().isEmpty() ? last : event.id();
                ended = event.name().equals("done") || event.name().equals("error");
                event = ended ? null : events.next();
            }
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // the connection is closed in any case
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
