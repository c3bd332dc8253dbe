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
 * A process and all its descendants. Detached ones are found by a unique variable in their environment; only a process
 * that also removes that variable is not found.
 *
 * @param mark the variable with its value
 */
public record ProcessTree(ProcessHandle first, String mark) {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);
    private static final Path PROCESSES = Path.of("/proc");
    private static final int MAX_ROUNDS = 20;
    private static final long ROUND_TIMEOUT_MILLIS = 500;

    /** Kills all processes, repeatedly while new ones are started. */
    public void end() {
        boolean interrupted = Thread.interrupted(); // cancellation waits for the cleanup
        endAll();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void endAll() {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            List<ProcessHandle> alive = alive();
            if (alive.isEmpty()) {
                return;
            }
            alive.forEach(ProcessHandle::destroyForcibly);
            awaitEnd(alive);
        }
        LOG.atError().addKeyValue("mark", mark).log("processes of a command are still running");
    }

    /** The running processes. The shell comes first: it would report the end of another one in the output. */
    private List<ProcessHandle> alive() {
        var processes = new ArrayList<ProcessHandle>();
        processes.add(first);
        first.descendants().forEach(processes::add);
        markedProcesses().forEach(processes::add);
        return processes.stream().filter(ProcessHandle::isAlive).distinct().toList();
    }

    private Stream<ProcessHandle> markedProcesses() {
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
            return false; // ended or owned by another user
        }
    }

    private static void awaitEnd(List<ProcessHandle> processes) {
        var exits = processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(exits).get(ROUND_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // the next round repeats it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
