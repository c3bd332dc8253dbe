package dev.parley.server.canary;

import dev.parley.server.canary.CanaryClient.Event;
import java.io.BufferedReader;
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
    private final Tally tally;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("canary-streams").factory());

    TurnEvents(CanaryClient client, Tally tally) {
        this.client = client;
        this.tally = tally;
    }

    /** What was read from a stream. @param last the id of the last event, or null */
    record Read(boolean ended, @Nullable String last) {}

    /** Reads events until the turn ends, the stream breaks, or its time is over. @param after as {@link Read#last} */
    Read follow(String path, @Nullable String after, Deadline until) throws InterruptedException {
        Duration most = until.left(ONE_STREAM);
        String last = after;
        try {
            HttpResponse<InputStream> response = client.events(path, after, most);
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    tally.retried(Integer.toString(response.statusCode()));
                    return new Read(false, last);
                }
                var alarm = clock.schedule(() -> close(body), most.toNanos(), TimeUnit.NANOSECONDS);
                BufferedReader lines = CanaryClient.lines(body);
                for (Event event = CanaryClient.next(lines); event != null; event = CanaryClient.next(lines)) {
                    last = event.id().isEmpty() ? last : event.id();
                    if (event.name().equals("done") || event.name().equals("error")) {
                        alarm.cancel(false);
                        return new Read(true, last);
                    }
                }
                alarm.cancel(false);
            }
        } catch (IOException e) {
            tally.retried("broken");
            client.refresh();
        }
        return new Read(false, last);
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
