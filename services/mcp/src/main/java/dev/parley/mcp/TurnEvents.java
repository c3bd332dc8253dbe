package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The events of a turn as the API streams them, without its words. They are hints: some may be missing, and what is true is asked of the
 * API again.
 */
final class TurnEvents implements AutoCloseable {
    /** What is worth waking up for. */
    private static final Set<String> KINDS =
            Set.of("tool_call", "progress", "approval", "retry", "message", "done", "error");

    private static final int MOST_WAITING = 256;
    private static final int LONGEST_LINE = 1 << 20;

    private final InputStream in;
    private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Thread reader;
    private volatile boolean over;

    private TurnEvents(InputStream in) {
        this.in = new BufferedInputStream(in);
        this.reader = Thread.ofVirtual().name("mcp-turn").start(this::read);
    }

    /**
     * An event.
     *
     * @param text what is said of it
     * @param tool the tool that it is about, or empty
     * @param call the id of the call, or of the question
     */
    record Event(String kind, String text, String tool, String call) {
        boolean isEnd() {
            return kind.equals("done") || kind.equals("error");
        }

        boolean isQuestion() {
            return kind.equals("approval");
        }
    }

    /** Begins to read; where there is no stream nothing ever comes. */
    static TurnEvents of(Optional<InputStream> stream) {
        return new TurnEvents(stream.orElseGet(InputStream::nullInputStream));
    }

    /** The next one, if one comes within this time. */
    Optional<Event> next(Duration most) throws InterruptedException {
        return Optional.ofNullable(events.poll(Math.max(0, most.toMillis()), TimeUnit.MILLISECONDS));
    }

    /** Whether the stream has ended, and all of it was taken. */
    boolean isOver() {
        return over && events.isEmpty();
    }

    private void read() {
        String kind = "";
        try {
            for (@Nullable String line = line(); line != null; line = line()) {
                if (line.startsWith("event:")) {
                    kind = line.substring("event:".length()).strip();
                } else if (line.startsWith("data:") && KINDS.contains(kind)) {
                    event(kind, line.substring("data:".length()));
                }
            }
        } catch (IOException e) {
            // the stream has ended, here or there
        } finally {
            over = true;
        }
    }

    private void event(String kind, String data) throws IOException {
        if (Json.read(data.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode json) {
            var event = new Event(
                    kind,
                    json.path("text").asText(""),
                    json.path("tool").asText(""),
                    json.path("callId").asText(""));
            if (!events.offer(event)) {
                events.poll(); // nobody is as curious as that; the newest ones count
                events.offer(event);
            }
        }
    }

    /** The next line, with no more of it than is read here; null at the end. */
    private @Nullable String line() throws IOException {
        var line = new ByteArrayOutputStream();
        int read = in.read();
        if (read < 0) {
            return null;
        }
        while (read >= 0 && read != '\n') {
            if (line.size() >= LONGEST_LINE) {
                throw new IOException("a line is too long");
            }
            line.write(read);
            read = in.read();
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            // it is closed
        }
        reader.interrupt();
    }
}
