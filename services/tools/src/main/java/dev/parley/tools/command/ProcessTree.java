package dev.parley.tools.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process and all that it started. What left its parent is found by a word of its environment that nobody else has: only what
 * throws that away as well is not found.
 */
public final class ProcessTree {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);
    private static final Path PROCESSES = Path.of("/proc");
    private static final int ROUNDS = 20;
    private static final long ROUND_MILLIS = 500;

    private final ProcessHandle first;
    private final String mark;

    /** @param mark a variable of its environment, with its value */
    public ProcessTree(ProcessHandle first, String mark) {
        this.first = first;
        this.mark = mark;
    }

    /** Ends all of it: again, as long as one was quick enough to start another. */
    public void end() {
        boolean interrupted = Thread.interrupted(); // whoever stops the call waits for this
        endAll();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void endAll() {
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessHandle> alive = alive();
            if (alive.isEmpty()) {
                return;
            }
            alive.forEach(ProcessHandle::destroyForcibly);
            awaitEnd(alive);
        }
        LOG.atError().addKeyValue("mark", mark).log("processes of a command are still running");
    }

    /** The shell first: where another one ends before it, it says so in the output. */
    private List<ProcessHandle> alive() {
        var all = new ArrayList<ProcessHandle>();
        all.add(first);
        first.descendants().forEach(all::add);
        marked().forEach(all::add);
        return all.stream().filter(ProcessHandle::isAlive).distinct().toList();
    }

    private Stream<ProcessHandle> marked() {
        if (!Files.isDirectory(PROCESSES)) {
            return Stream.of();
        }
        try (Stream<Path> processes = Files.list(PROCESSES)) {
            return processes
                    .filter(process -> process.getFileName().toString().chars().allMatch(Character::isDigit))
                    .filter(this::isMarked)
                    .toList()
                    .stream()
                    .map(process -> ProcessHandle.of(
                            Long.parseLong(process.getFileName().toString())))
                    .flatMap(Optional::stream);
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("processes cannot be listed");
            return Stream.of();
        }
    }

    private boolean isMarked(Path process) {
        try {
            String environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            return ("\0" + environment).contains("\0" + mark + "\0");
        } catch (IOException e) {
            return false; // it has ended, or is somebody else's
        }
    }

    private static void awaitEnd(List<ProcessHandle> processes) {
        var ends = processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ends).get(ROUND_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // the next round sees to it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
