package dev.parley.tools.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** The standard output and error of a process, bounded together; a process that prints more is killed. */
final class PrintedOutput {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private final int max;
    private final Process process;
    private final List<Thread> readers;
    private boolean tooMuch;

    /**
     * Starts reading.
     *
     * @param max the maximum bytes
     */
    PrintedOutput(int max, Process process) {
        this.max = max;
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
                // closed
            }
        });
    }

    private synchronized void add(ByteArrayOutputStream to, byte[] chunk, int length) {
        if (stdout.size() + stderr.size() + length > max) {
            tooMuch = true;
            process.destroyForcibly();
        } else {
            to.write(chunk, 0, length);
        }
    }

    /** Waits until all output is read, up to a timeout, then stops reading. */
    void await(Duration timeout) throws IOException {
        try {
            for (Thread reader : readers) {
                reader.join(timeout);
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
