package dev.parley.server.canary;

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
     * How far events of a turn were read.
     *
     * @param ended whether the last one ends the turn
     * @param last the id of the last event, or null
     */
    record Progress(boolean ended, @Nullable String last) {
        static final Progress NONE = new Progress(false, null);
    }

    /** Reads events until the turn ends, the stream breaks, or the deadline. @param after as {@link Progress#last} */
    Progress follow(String path, @Nullable String after, Deadline until) throws InterruptedException {
        Duration most = until.left(ONE_STREAM);
        String last = after;
        try {
            HttpResponse<InputStream> response = client.events(path, after, most);
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    statistics.retried(Integer.toString(response.statusCode()));
                    return new Progress(false, last);
                }
                var alarm = clock.schedule(() -> close(body), most.toNanos(), TimeUnit.NANOSECONDS);
                try {
                    var events = new ServerSentEvents(body);
                    for (var event = events.next(); event != null; event = events.next()) {
                        last = event.id().isEmpty() ? last : event.id();
                        if (event.name().equals("done") || event.name().equals("error")) {
                            return new Progress(true, last);
                        }
                    }
                } finally {
                    alarm.cancel(false);
                }
            }
        } catch (IOException e) {
            statistics.retried("broken");
            client.refresh();
        }
        return new Progress(false, last);
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // it is closed all the same
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
