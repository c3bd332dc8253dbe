package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.server.StartedParts.Stage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a process: every stage in its turn, and none beyond the deadline. */
class StartedPartsTest {
    private final ConcurrentLinkedQueue<String> closed = new ConcurrentLinkedQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void letStuckPartsEnd() {
        end.countDown();
    }

    @Test
    @Tag("B120")
    void stagesEndInOrderWhateverWasAddedFirst() {
        var parts = new StartedParts(Duration.ofSeconds(30), Duration.ZERO);
        List.of(Stage.values())
                .reversed()
                .forEach(stage -> parts.add(stage, stage.name(), () -> closed.add(stage.name())));

        parts.close();
        parts.close();

        assertEquals(Stream.of(Stage.values()).map(Enum::name).toList(), List.copyOf(closed));
    }

    @Test
    @Tag("B120")
    void partsOfAStageEndInParallel() {
        var parts = new StartedParts(Duration.ofSeconds(30), Duration.ZERO);
        var together = new CyclicBarrier(3);
        for (int i = 0; i < 3; i++) {
            parts.add(Stage.WORK, "part " + i, () -> closed.add("part " + together.await(20, TimeUnit.SECONDS)));
        }

        parts.close();

        assertEquals(3, closed.size());
    }

    @Test
    @Tag("B120")
    void partsThatDoNotEndInEveryStageHoldNeitherTheOthersNorTheProcess() {
        var limit = Duration.ofMillis(600);
        var parts = new StartedParts(limit, Duration.ZERO);
        for (Stage stage : Stage.values()) {
            parts.add(stage, "stuck " + stage, end::await);
            parts.add(stage, stage.name(), () -> closed.add(stage.name()));
        }
        long start = System.nanoTime();

        parts.close();

        assertTrue(System.nanoTime() - start < limit.multipliedBy(20).toNanos());
        assertEquals(Stream.of(Stage.values()).map(Enum::name).toList(), List.copyOf(closed));
    }

    @Test
    @Tag("B120")
    void aPartThatFailsToEndDoesNotKeepTheOthers() {
        var parts = new StartedParts(Duration.ofSeconds(30), Duration.ZERO);
        parts.add(Stage.WORK, "broken", () -> {
            throw new IllegalStateException("it is broken");
        });
        parts.add(Stage.FOLDER, "folder", () -> closed.add("folder"));

        parts.close();

        assertEquals(List.of("folder"), List.copyOf(closed));
    }
}
