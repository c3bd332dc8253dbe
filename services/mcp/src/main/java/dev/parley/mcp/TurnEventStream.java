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
 * The event stream of a turn, without text deltas. Events are hints and may be missing; the API is the source of truth.
 */
final class TurnEventStream implements AutoCloseable {
    /** The kinds of events that are read. */
    private static final Set<String> KINDS =
            Set.of("tool_call", "progress", "approval", "retry", "message", "done", "error");

    private static final int MAX_WAITING = 256;
    private static final int MAX_LINE = 1 << 20;

    private final InputStream in;
    private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Thread reader;
    private volatile boolean over;

    private TurnEventStream(InputStream in) {
        this.in = new BufferedInputStream(in);
        this.reader = Thread.ofVirtual().name("mcp-turn").start(this::read);
    }

    /**
     * An event.
     *
     * @param tool its tool, or empty
     * @param call the id of the tool call or approval
     */
    record Event(String kind, String text, String tool, String call) {
        boolean isEnd() {
            return kind.equals("done") || kind.equals("error");
        }

        boolean isQuestion() {
            return kind.equals("approval");
        }
    }

    /** Starts to read; without a stream there are no events. */
    static TurnEventStream of(Optional<InputStream> stream) {
        return new TurnEventStream(stream.orElseGet(InputStream::nullInputStream));
    }

    /** The next event; empty on timeout. */
    Optional<Event> next(Duration timeout) throws InterruptedException {
        return Optional.ofNullable(events.poll(Math.max(0, timeout.toMillis()), TimeUnit.MILLISECONDS));
    }

    /** Whether the stream has ended and all events are consumed. */
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
            // closed by either side
        } finally {
            over = true;
        }
    }

    private void event(String kind, String data) throws IOException {
        if (McpJson.read(data.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode json) {
            var event = new Event(
                    kind,
                    json.path("text").asText(""),
                    json.path("tool").asText(""),
                    json.path("callId").asText(""));
            if (!events.offer(event)) {
                events.poll(); // drops the oldest event
                events.offer(event);
            }
        }
    }

    /** The next line, without read-ahead; null at the end. */
    private @Nullable String line() throws IOException {
        var line = new ByteArrayOutputStream();
        int read = in.read();
        if (read < 0) {
            return null;
        }
        while (read >= 0 && read != '\n') {
            if (line.size() >= MAX_LINE) {
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
            // already closed
        }
        reader.interrupt();
    }
}
