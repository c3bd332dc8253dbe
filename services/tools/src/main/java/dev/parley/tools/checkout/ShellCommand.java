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
 * A command of the shell that is run once, in a folder. It has nothing of Parley's environment and a home of its own, and nothing that
 * it started goes on when it has ended. It may do what the user may as whom Parley runs.
 */
final class ShellCommand {
    private static final List<String> SHELL = List.of("/bin/sh", "-c", "ulimit -c 0; exec /bin/sh -c \"$0\"");
    private static final int ROOM = 15_000;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final Path folder;

    ShellCommand(Path folder) {
        this.folder = folder;
    }

    /** Runs it and waits for its end, which comes after this time at the latest. */
    String run(String command, Duration limit) throws IOException, InterruptedException {
        try (TemporaryHome home = TemporaryHome.make()) {
            return run(command, limit, home);
        }
    }

    private String run(String command, Duration limit, TemporaryHome home) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(SHELL.get(0), SHELL.get(1), SHELL.get(2), command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        home.environment(builder, Map.of());
        Process process = builder.start();
        var tree = new ProcessTree(process.toHandle(), home.mark());
        var output = new Output(process.getInputStream());
        Thread reader = Thread.ofVirtual().start(output);
        boolean ended;
        try {
            ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            tree.end();
        }
        reader.join(LAST_WORDS);
        process.getInputStream().close();
        String how = ended
                ? "[exit status " + process.exitValue() + "]"
                : "[ended after " + limit.toSeconds() + " s; what it did until then is done]";
        String words = output.text();
        return words.isEmpty() || words.endsWith("\n") ? words + how : words + "\n" + how;
    }

    /** What is printed: the beginning and the end, where it is long. */
    private static final class Output implements Runnable {
        private final InputStream in;
        private final byte[] head = new byte[ROOM];
        private final byte[] tail = new byte[ROOM];
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
                // it was closed
            }
        }

        private synchronized void add(byte[] more, int length) {
            for (int i = 0; i < length; i++) {
                if (count < ROOM) {
                    head[(int) count] = more[i];
                } else {
                    tail[(int) (count % ROOM)] = more[i];
                }
                count++;
            }
        }

        synchronized String text() {
            var all = new StringBuilder(text(ByteBuffer.wrap(head, 0, (int) Math.min(count, ROOM))));
            if (count > 2L * ROOM) {
                all.append("\n[… ").append(count - 2L * ROOM).append(" bytes left out …]\n");
            }
            if (count > ROOM) {
                var last = ByteBuffer.allocate(ROOM);
                for (long at = Math.max(ROOM, count - ROOM); at < count; at++) {
                    last.put(tail[(int) (at % ROOM)]);
                }
                all.append(text(last.flip()));
            }
            return all.toString();
        }

        private static String text(ByteBuffer bytes) {
            return StandardCharsets.UTF_8.decode(bytes).toString().replace("\0", "");
        }
    }
}
