package dev.parley.memory.view;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ViewSignalsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(20);

    private final ViewSignals signals = new ViewSignals();

    @Test
    void signalsAReadDocumentEvenBeforeTheWait() {
        UUID document = UUID.randomUUID();
        try (var watch = signals.watch(List.of(document, UUID.randomUUID()))) {
            signals.read(UUID.randomUUID());
            signals.read(document);
            assertTimeoutPreemptively(SHORT, () -> watch.await(LONG));
            assertTrue(signals.isWatched());
        }
        assertFalse(signals.isWatched());
    }

    @Test
    void signalsAllWatchersOfADocument() {
        UUID document = UUID.randomUUID();
        try (var first = signals.watch(List.of(document))) {
            try (var second = signals.watch(List.of(document))) {
                signals.read(document);
                assertTimeoutPreemptively(SHORT, () -> second.await(LONG));
            }
            assertTimeoutPreemptively(SHORT, () -> first.await(LONG));
        }
    }

    @Test
    void endsTheDelayWhileACallerWaits() throws InterruptedException {
        // Given
        var waits = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var waiting = CompletableFuture.runAsync(() -> signals.waiting(() -> {
            waits.countDown();
            try {
                return release.await(LONG.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        waits.await();

        // Then
        assertTimeoutPreemptively(SHORT, () -> signals.awaitSomebody(LONG));
        release.countDown();
        waiting.join();
        signals.awaitSomebody(Duration.ofMillis(1)); // no caller waits any more, and it times out
    }
}
