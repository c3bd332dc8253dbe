package dev.parley.platform.health;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A check that may hang: it runs at most once at a time and once a second, and callers wait for a bounded time. */
final class Probe {
    private static final Duration TIMEOUT = Duration.ofMillis(1_800);
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Executor EXECUTOR =
            task -> Thread.ofVirtual().name("health").start(task);

    private final Supplier<Optional<String>> check;
    private @Nullable CompletableFuture<Optional<String>> running;
    private long startedNanos;

    /** @param check returns the problem, if there is one */
    Probe(Supplier<Optional<String>> check) {
        this.check = check;
    }

    /** The problem, if there is one, such as no answer in time. */
    Optional<String> problem() {
        try {
            return current().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return Optional.of("does not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    private synchronized CompletableFuture<Optional<String>> current() {
        CompletableFuture<Optional<String>> before = running;
        if (before != null && (!before.isDone() || System.nanoTime() - startedNanos < FRESH_NANOS)) {
            return before;
        }
        startedNanos = System.nanoTime();
        var now = CompletableFuture.supplyAsync(check, EXECUTOR);
        running = now;
        return now;
    }
}
