package dev.parley.tools.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What a process prints to its two outputs, which have a bound together; one that prints more is ended. */
final class PrintedOutput {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private final int most;
    private final Process process;
    private final List<Thread> readers;
    private boolean tooMuch;

    /** Begins to read. @param most bytes */
    PrintedOutput(int most, Process process) {
        this.most = most;
        this.process = process;
        readers = List.of(reader(process.getInputStream(), stdout), reader(process.getErrorStream(), stderr));
    }

    private Thread reader(InputStream from, ByteArrayOutputStream to) {
        return Thread.ofVirtual().start(() -> {
            byte[] buffer = new byte[8_192];
            try {
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    add(to, buffer, read);
                }
            } catch (IOException e) {
                // it was closed
            }
        });
    }

    private synchronized void add(ByteArrayOutputStream to, byte[] more, int length) {
        if (stdout.size() + stderr.size() + length > most) {
            tooMuch = true;
            process.destroyForcibly();
        } else {
            to.write(more, 0, length);
        }
    }

    /** Waits until all is read that was printed; so long at most, and then reads no more. */
    void await(Duration longest) throws IOException {
        try {
            for (Thread reader : readers) {
                reader.join(longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.getInputStream().close();
        process.getErrorStream().close();
    }

    synchronized boolean isTooMuch() {
        return tooMuch;
    }

    synchronized String stdout() {
        return text(stdout);
    }

    synchronized String stderr() {
        return text(stderr);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace("\0", "");
    }
}
