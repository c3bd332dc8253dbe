package dev.parley.server.chat;

import dev.parley.server.client.ServerConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The chat as it runs in a pipe: lines go in, and what it shows comes out. */
public final class PipedChat implements AutoCloseable {
    private final PipedWriter in = new PipedWriter();
    private final StringWriter out = new StringWriter();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final Thread thread;

    /** @param data the folder in which the chat looks for a server that came back elsewhere */
    public PipedChat(String url, String key, Path data, String session) throws IOException {
        var lines = new BufferedReader(new PipedReader(in));
        var client = new ChatClient(new ServerConnection(url, key, data));
        var conversation = new ChatSession(client, session, null, notes::add);
        var loop = ChatLoop.ofPipe(lines, new PrintWriter(out), client, conversation, false);
        thread = Thread.ofVirtual().name("chat").start(() -> {
            try (client) {
                loop.run();
            } catch (InterruptedIOException e) {
                // closed while it waited for a line
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // closed
            }
        });
    }

    /** Types a message, of however many lines. */
    public void types(String message) {
        try {
            in.write(message.replace("\n", "\\\n") + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that it has written. */
    public String shown() {
        return out.toString();
    }

    /** What keeps it waiting, as it says on the side. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
