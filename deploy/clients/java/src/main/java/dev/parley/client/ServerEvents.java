package dev.parley.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Server-sent events of a path, which is opened again where it was lost, after the last event that was read. */
final class ServerEvents implements AutoCloseable {
    private static final Duration AGAIN = Duration.ofMillis(250);
    /** The server says something every 15 s; who is silent for so long is gone. */
    private static final Duration SILENT = Duration.ofSeconds(60);

    private static final Executor LATER = CompletableFuture.delayedExecutor(SILENT.toSeconds() / 4, TimeUnit.SECONDS);

    private final Requests requests;
    private final String path;
    private @Nullable String last;
    private @Nullable BufferedReader lines;
    private volatile @Nullable InputStream open;
    private volatile long heard;
    private volatile boolean closed;

    /** An event; its data is JSON. */
    record Event(@Nullable String id, String type, JsonNode data) {}

    /** @param last the id of the event after which it begins, or null for what happens from now on */
    ServerEvents(Requests requests, String path, @Nullable String last) {
        this.requests = requests;
        this.path = path;
        this.last = last;
    }

    /**
     * The next event, whenever it comes; empty where the server says that nothing has happened, or this is closed.
     *
     * @throws UncheckedIOException where its data is not JSON; the call after that goes on behind it
     */
    Optional<Event> next() {
        while (!closed) {
            try {
                return read(lines == null ? open() : lines);
            } catch (IOException e) {
                lost();
            }
        }
        return Optional.empty();
    }

    private BufferedReader open() {
        var headers = last == null
                ? Map.of("Accept", "text/event-stream")
                : Map.of("Accept", "text/event-stream", "Last-Event-ID", last);
        InputStream body = requests.send("GET", path, null, headers).body();
        open = body;
        heard = System.nanoTime();
        LATER.execute(() -> watch(body));
        var reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        lines = reader;
        return reader;
    }

    /** Ends a connection whose other side is silent: whoever reads from it would wait for ever. */
    private void watch(InputStream body) {
        if (open != body) {
            return;
        }
        if (System.nanoTime() - heard > SILENT.toNanos()) {
            end(body);
        } else {
            LATER.execute(() -> watch(body));
        }
    }

    /** @return empty for a comment, by which the server shows that it is there */
    private Optional<Event> read(BufferedReader reader) throws IOException {
        String id = null;
        String type = "message";
        StringBuilder data = null;
        for (String line = readLine(reader); !line.isEmpty(); line = readLine(reader)) {
            String value = line.substring(line.indexOf(':') + 1).stripLeading();
            if (line.startsWith("id:")) {
                id = value;
            } else if (line.startsWith("event:")) {
                type = value;
            } else if (line.startsWith("data:")) {
                data = data == null
                        ? new StringBuilder(value)
                        : data.append('\n').append(value);
            }
        }
        if (data == null) {
            return Optional.empty();
        }
        if (id != null) {
            last = id;
        }
        return Optional.of(new Event(id, type, json(id, data.toString())));
    }

    private static JsonNode json(@Nullable String id, String data) {
        try {
            return Requests.JSON.readTree(data);
        } catch (JsonProcessingException e) { // is no lost connection: to open it again would give the same event
            throw new UncheckedIOException("the data of event " + (id == null ? "without id" : id) + " is not JSON", e);
        }
    }

    private String readLine(BufferedReader reader) throws IOException {
        String line = reader.readLine();
        heard = System.nanoTime();
        if (line == null) {
            throw new IOException("the stream has ended");
        }
        return line;
    }

    private void lost() {
        end(open);
        open = null;
        lines = null;
        if (!closed) {
            Requests.pause(AGAIN);
        }
    }

    private static void end(@Nullable InputStream body) {
        if (body != null) {
            try {
                body.close();
            } catch (IOException e) {
                // it is lost in any case
            }
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends it, also for a thread that waits for the next event. */
    @Override
    public void close() {
        closed = true;
        end(open);
    }
}
