package dev.parley.server.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the server-sent events of a response. Data is a single line, as Parley sends it. */
public final class ServerSentEvents {
    private final BufferedReader lines;

    public ServerSentEvents(InputStream body) {
        lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /**
     * An event.
     *
     * @param id by which a stream resumes, or empty
     */
    public record Event(String name, String id, String data) {}

    /** Blocks until an event is complete; returns null at the end of the stream. */
    public @Nullable Event next() throws IOException {
        String name = "";
        String id = "";
        String data = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.isEmpty() && !name.isEmpty()) {
                return new Event(name, id, data);
            }
        }
        return null;
    }
}
