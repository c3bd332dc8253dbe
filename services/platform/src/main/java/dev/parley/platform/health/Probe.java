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
    private static final Duration MOST = Duration.ofMillis(1_800);
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Executor EXECUTOR =
            task -> Thread.ofVirtual().name("health").start(task);

    private final Supplier<Optional<String>> question;
    private @Nullable CompletableFuture<Optional<String>> asked;
    private long askedNanos;

    /** @param question answers with the problem, or with nothing */
    Probe(Supplier<Optional<String>> question) {
        this.question = question;
    }

    /** The problem, if there is one; no answer in time is one. */
    Optional<String> ask() {
        try {
            return current().get(MOST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return Optional.of("does not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    private synchronized CompletableFuture<Optional<String>> current() {
        CompletableFuture<Optional<String>> before = asked;
        if (before != null && (!before.isDone() || System.nanoTime() - askedNanos < FRESH_NANOS)) {
            return before;
        }
        askedNanos = System.nanoTime();
        var now = CompletableFuture.supplyAsync(question, EXECUTOR);
        asked = now;
        return now;
    }
}
