package dev.parley.platform.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RecurringTest {
    /** Fails at its second pass. */
    private static final class Counted extends Recurring {
        private final List<Boolean> rests = new CopyOnWriteArrayList<>();
        private int passes;

        Counted() {
            super("counted", Duration.ZERO, "the second one fails");
        }

        @Override
        protected void pass() {
            passes++;
            if (passes == 2) {
                throw new IllegalStateException("the second");
            }
            if (passes == 4) {
                finish();
            }
        }

        @Override
        protected Duration rest(boolean failed) {
            rests.add(failed);
            return Duration.ofMillis(1);
        }
    }

    @Test
    void repeatsAfterAFailureUntilFinished() {
        try (var counted = new Counted()) {
            counted.start();

            Awaitility.await().until(() -> counted.rests.size() == 4);
            assertEquals(List.of(false, true, false, false), counted.rests);
            assertTrue(counted.problem().isEmpty());
        }
    }

    @Test
    @Tag("B165")
    void closeWaitsForTheRunningPass() throws InterruptedException {
        // Given
        var started = new CountDownLatch(1);
        var finished = new CountDownLatch(1);
        var recurring = new Recurring("long", Duration.ZERO, "it fails") {
            private volatile boolean completed;

            @Override
            protected void pass() {
                started.countDown();
                while (!isClosing()) {
                    Thread.onSpinWait();
                }
                completed = !Thread.currentThread().isInterrupted();
                finished.countDown();
            }

            @Override
            protected Duration rest(boolean failed) {
                return Duration.ofHours(1);
            }
        };
        recurring.start();
        assertTrue(started.await(10, TimeUnit.SECONDS));

        // When
        recurring.close();

        // Then
        assertTrue(finished.await(0, TimeUnit.SECONDS));
        assertTrue(recurring.completed);
    }

    @Test
    @Tag("B165")
    void closeInterruptsAPassThatTakesTooLong() throws InterruptedException {
        // Given
        var started = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var recurring = new Recurring("endless", Duration.ZERO, "it fails") {
            @Override
            protected void pass() throws InterruptedException {
                started.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    interrupted.countDown();
                }
            }

            @Override
            protected Duration rest(boolean failed) {
                return Duration.ofHours(1);
            }
        };
        recurring.start();
        assertTrue(started.await(10, TimeUnit.SECONDS));

        // When
        recurring.close();

        // Then
        assertEquals(0, interrupted.getCount());
    }
}
