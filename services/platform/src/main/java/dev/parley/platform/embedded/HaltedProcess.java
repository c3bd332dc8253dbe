package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A process whose threads are all halted by SIGSTOP, until this is closed. */
final class HaltedProcess implements AutoCloseable {
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final long pid;
    private final long since;
    /** Also where this process is told to stop: the other would never go on. */
    private final Thread release;

    private HaltedProcess(long pid) {
        this.pid = pid;
        this.since = System.nanoTime();
        this.release = new Thread(this::resume);
    }

    /**
     * Halts a process; returns when it runs no more.
     *
     * @throws IOException if it cannot be halted; it then goes on
     */
    static HaltedProcess of(long pid) throws IOException, InterruptedException {
        var halted = new HaltedProcess(pid);
        Runtime.getRuntime().addShutdownHook(halted.release);
        try {
            if (!signal(pid, "STOP")) {
                throw new IOException("the process " + pid + " cannot be halted: are you its user?");
            }
            halted.awaitHalt();
            return halted;
        } catch (Throwable e) {
            halted.close();
            throw e;
        }
    }

    /** A thread in a call of the system is halted at its end. */
    private void awaitHalt() throws IOException, InterruptedException {
        while (!areHalted(Path.of("/proc", Long.toString(pid), "task"))) {
            if (System.nanoTime() - since > MAX_WAIT.toNanos()) {
                throw new IOException("the process %d is not halted after %s".formatted(pid, MAX_WAIT));
            }
            Thread.sleep(1);
        }
    }

    private static boolean areHalted(Path threads) throws IOException, InterruptedException {
        if (!Files.isDirectory(threads)) { // not Linux
            Thread.sleep(100);
            return true;
        }
        try (Stream<Path> tasks = Files.list(threads)) {
            for (Path task : tasks.toList()) {
                if (!isHalted(task.resolve("stat"))) {
                    return false;
                }
            }
            return true;
        }
    }

    private static boolean isHalted(Path stat) throws IOException {
        try {
            String text = Files.readString(stat);
            return "TtZX".indexOf(text.charAt(text.lastIndexOf(')') + 2)) >= 0;
        } catch (NoSuchFileException endedMeanwhile) {
            return true;
        }
    }

    private static boolean signal(long pid, String name) {
        try {
            return new ProcessBuilder(List.of("kill", "-" + name, Long.toString(pid)))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void resume() {
        signal(pid, "CONT");
    }

    /** Has the process go on. */
    @Override
    public void close() {
        resume();
        try {
            Runtime.getRuntime().removeShutdownHook(release);
        } catch (IllegalStateException alreadyStopping) {
            // the hook does the same again
        }
    }
}
