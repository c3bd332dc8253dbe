package dev.parley.tools.checkout;

import dev.parley.tools.command.ProcessTree;
import dev.parley.tools.command.TemporaryHome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A shell command that runs once in a folder. It has its own home and none of Parley's environment, and all its
 * descendants are killed when it ends. It has the rights of the operating system user that runs Parley.
 */
final class ShellCommand {
    private static final List<String> SHELL = List.of("/bin/sh", "-c", "ulimit -c 0; exec /bin/sh -c \"$0\"");
    private static final int MAX_HALF = 15_000;
    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(2);

    private final Path folder;

    ShellCommand(Path folder) {
        this.folder = folder;
    }

    /** Runs the command and waits for its end; after the time limit it is killed. */
    String run(String command, Duration limit) throws IOException, InterruptedException {
        try (TemporaryHome home = TemporaryHome.make()) {
            return run(command, limit, home);
        }
    }

    private Process start(String command, TemporaryHome home) throws IOException {
        var builder = new ProcessBuilder(SHELL.get(0), SHELL.get(1), SHELL.get(2), command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        home.environment(builder, Map.of());
        return builder.start();
    }

    private String run(String command, Duration limit, TemporaryHome home) throws IOException, InterruptedException {
        Process process = start(command, home);
        var tree = new ProcessTree(process.toHandle(), home.mark());
        var output = new Output(process.getInputStream());
        Thread reader = Thread.ofVirtual().start(output);
        boolean exited;
        try {
            exited = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            tree.end();
        }
        reader.join(OUTPUT_TIMEOUT);
        process.getInputStream().close();
        String status = exited
                ? "[exit status " + process.exitValue() + "]"
                : "[ended after " + limit.toSeconds() + " s; what it did until then is done]";
        String text = output.text();
        return text.isEmpty() || text.endsWith("\n") ? text + status : text + "\n" + status;
    }

    /** The printed output; of a long one the beginning and the end. */
    private static final class Output implements Runnable {
        private final InputStream in;
        private final byte[] head = new byte[MAX_HALF];
        private final byte[] tail = new byte[MAX_HALF];
        private long count;

        Output(InputStream in) {
            this.in = in;
        }

        @Override
        public void run() {
            byte[] buffer = new byte[8_192];
            try {
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    add(buffer, read);
                }
            } catch (IOException e) {
                // closed
            }
        }

        private synchronized void add(byte[] chunk, int length) {
            for (int i = 0; i < length; i++) {
                if (count < MAX_HALF) {
                    head[(int) count] = chunk[i];
                } else {
                    tail[(int) (count % MAX_HALF)] = chunk[i];
                }
                count++;
            }
        }

        synchronized String text() {
            var result = new StringBuilder(text(ByteBuffer.wrap(head, 0, (int) Math.min(count, MAX_HALF))));
            if (count > 2L * MAX_HALF) {
                result.append("\n[… ").append(count - 2L * MAX_HALF).append(" bytes left out …]\n");
            }
            if (count > MAX_HALF) {
                var last = ByteBuffer.allocate(MAX_HALF);
                for (long position = Math.max(MAX_HALF, count - MAX_HALF); position < count; position++) {
                    last.put(tail[(int) (position % MAX_HALF)]);
                }
                result.append(text(last.flip()));
            }
            return result.toString();
        }

        private static String text(ByteBuffer bytes) {
            return StandardCharsets.UTF_8.decode(bytes).toString().replace("\0", "");
        }
    }
}
