package dev.parley.platform.worker;

import static dev.parley.platform.worker.WorkerFixture.KEY;
import static dev.parley.platform.worker.WorkerFixture.TRACE;
import static dev.parley.platform.worker.WorkerFixture.call;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.ToolWork;
import dev.parley.platform.kafka.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerLoopIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private WorkerFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new WorkerFixture();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void answersWithTheKeyAndTraceOfTheRequestAndCommits() throws Exception {
        // Given
        fixture.worker(fixture.settings(), (request, _) -> "did " + request.arguments());

        // When
        var calls = new ArrayList<UUID>();
        for (int i = 0; i < 50; i++) {
            calls.add(fixture.ask(call("" + i)));
        }

        // Then
        await().atMost(LONG)
                .until(() -> calls.stream().allMatch(id -> fixture.answers(id).size() == 1));
        var result = fixture.results.heard().stream()
                .filter(r -> r.value().callId().equals(calls.get(7)))
                .findFirst()
                .orElseThrow();
        assertEquals("did 7", ((ToolAnswered) result.value()).content());
        assertEquals(KEY, result.key());
        assertEquals(TRACE, RecordCodec.trace(result.record().headers()));
        await().atMost(LONG)
                .until(() -> fixture.committed()
                        .filter(position -> position.offset() == 50)
                        .isPresent());
        assertEquals(50, fixture.count("parley.worker.taken"));
    }

    @Test
    @Tag("I68")
    void callLongerThanItsLeaseReportsProgressAndRunsOnce() throws Exception {
        // Given
        var executions = new AtomicInteger();
        var release = new CountDownLatch(1);
        WorkerFixture.Doing doing = (_, _) -> {
            executions.incrementAndGet();
            release.await();
            return "at last";
        };
        var lease = Duration.ofMillis(600);
        var worker = fixture.worker(fixture.settings().withLease(lease), doing);
        var id = fixture.ask(call(UUID.randomUUID(), 1, "", lease.multipliedBy(20)));
        await().atMost(LONG).until(() -> fixture.of(id, CallProgress.class).size() >= 2);

        // When
        fixture.worker(fixture.settings().withLease(lease), doing); // the partition may move to this worker
        await().atMost(LONG).until(() -> fixture.of(id, CallProgress.class).size() >= 8);
        await().atMost(LONG)
                .until(() -> fixture.committed()
                        .filter(position -> position.offset() == 1)
                        .isPresent());
        release.countDown();

        // Then
        await().atMost(LONG).until(() -> fixture.answers(id).size() == 1);
        assertEquals(
                worker.worker(), fixture.of(id, CallProgress.class).getFirst().worker());
        assertEquals(1, executions.get());
    }

    @Test
    void runningCallAnswersTheNewerAttempt() throws Exception {
        // Given
        var executions = new AtomicInteger();
        var release = new CountDownLatch(1);
        fixture.worker(fixture.settings(), (_, _) -> {
            executions.incrementAndGet();
            release.await();
            return "once";
        });
        var id = fixture.ask(call(UUID.randomUUID(), 1, "", LONG));
        await().atMost(LONG).until(() -> executions.get() == 1);

        // When
        fixture.ask(call(id, 2, "", LONG));
        await().atMost(LONG).until(() -> fixture.count("parley.worker.adopted") == 1);
        release.countDown();

        // Then
        await().atMost(LONG).until(() -> fixture.answers(id).size() == 1);
        assertEquals(2, fixture.answers(id).getFirst().attempt());
        assertEquals(1, executions.get());
    }

    @Test
    @Tag("P47")
    void cancelInterruptsTheCallAndKeepsItsPartialResult() throws Exception {
        // Given
        var started = new CountDownLatch(1);
        fixture.worker(fixture.settings(), (_, cancellation) -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
                return "never";
            } catch (InterruptedException e) {
                return "half, " + cancellation.reason().orElseThrow();
            }
        });
        var id = fixture.ask(call(""));
        assertTrue(started.await(60, TimeUnit.SECONDS));

        // When
        fixture.cancel(id);

        // Then
        await().atMost(Duration.ofMillis(800))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !fixture.answers(id).isEmpty());
        assertEquals("half, CANCELLED", fixture.answers(id).getFirst().content());
    }

    @Test
    @Tag("P47")
    void cancelledCallThatIgnoresInterruptsIsAnsweredOnce() throws Exception {
        // Given
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var returned = new CountDownLatch(1);
        fixture.worker(fixture.settings(), (_, _) -> {
            started.countDown();
            while (release.getCount() > 0) {
                Thread.onSpinWait(); // ignores interrupts
            }
            returned.countDown();
            return "too late";
        });
        var id = fixture.ask(call(""));
        assertTrue(started.await(60, TimeUnit.SECONDS));

        // When
        fixture.cancel(id);

        // Then
        await().atMost(Duration.ofSeconds(5)).until(() -> !fixture.answers(id).isEmpty());
        release.countDown();
        assertTrue(returned.await(60, TimeUnit.SECONDS));
        var marker = fixture.ask(call("")); // its result comes after any further result of the first call
        await().atMost(LONG).until(() -> !fixture.answers(marker).isEmpty());
        assertEquals(
                List.of("CANCELLED: cancelled"),
                fixture.answers(id).stream().map(ToolAnswered::content).toList());
    }

    @Test
    @Tag("O5")
    void poisonBecomesADeadLetterAndThePartitionGoesOn() throws Exception {
        // Given
        fixture.worker(fixture.settings(), (_, _) -> "fine");

        // When
        fixture.send(new ProducerRecord<>(
                fixture.topic.name(),
                "key".getBytes(StandardCharsets.UTF_8),
                "garbage".getBytes(StandardCharsets.UTF_8)));
        fixture.send(new ProducerRecord<>(fixture.topic.name(), "key".getBytes(StandardCharsets.UTF_8), null));
        var id = fixture.ask(call(""));

        // Then
        await().atMost(LONG).until(() -> fixture.answers(id).size() == 1);
        await().atMost(LONG)
                .until(() -> fixture.committed()
                        .filter(position -> position.offset() == 3)
                        .isPresent());
        // the two letters may be on different partitions, which are read in any order
        await().atMost(LONG).until(() -> letters().size() == 2);
        assertArrayEquals("garbage".getBytes(StandardCharsets.UTF_8), letters().get("0"));
        assertTrue(letters().containsKey("1"));
        assertNull(letters().get("1"));
    }

    @Test
    void aRequestWhoseSchemaCannotBeLookedUpWaitsAlone() throws Exception {
        // Given
        var isDown = new AtomicBoolean(true);
        CallHandler<ToolWork> handler = WorkerFixture.handler((_, _) -> "done");
        var worker = fixture.worker(fixture.settings(), new CallHandler<>() {
            @Override
            public WorkerRequest classify(ToolWork work) {
                if (isDown.get()
                        && work instanceof ToolRequest request
                        && request.arguments().equals("unknown")) {
                    throw new TimeoutException("the registry does not answer");
                }
                return handler.classify(work);
            }

            @Override
            public Execution begin(ToolWork request, CallContext context) {
                return handler.begin(request, context);
            }
        });

        // When
        var known = fixture.ask(call(""));
        var unknown = fixture.ask(call("unknown"));

        // Then
        await().atMost(LONG).until(() -> fixture.answers(known).size() == 1);
        await().atMost(LONG).until(() -> worker.problem().orElse("").contains("the registry does not answer"));
        isDown.set(false);
        await().atMost(LONG).until(() -> fixture.answers(unknown).size() == 1);
        await().atMost(LONG).until(() -> worker.problem().isEmpty());
        assertEquals(Map.of(), letters());
    }

    /** Dead letters by their offset in the original topic. */
    private Map<String, byte[]> letters() {
        var letters = new HashMap<String, byte[]>();
        fixture.deadLetters.heard().stream()
                .filter(letter -> header(letter.record(), "dlq_topic").equals(fixture.topic.name()))
                .forEach(letter -> letters.put(header(letter.record(), "dlq_offset"), letter.value()));
        return letters;
    }

    private static String header(org.apache.kafka.clients.consumer.ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    @Test
    void failingHandlerStillGivesAResult() throws Exception {
        // Given
        fixture.worker(fixture.settings(), (request, _) -> switch (request.arguments()) {
            case "exception" -> throw new IllegalStateException("broken");
            case "error" -> throw new StackOverflowError();
            default -> "x".repeat(9 << 20);
        });

        // When
        var exception = fixture.ask(call("exception"));
        var error = fixture.ask(call("error"));
        var large = fixture.ask(call("large"));

        // Then
        await().atMost(LONG)
                .until(() -> List.of(exception, error, large).stream()
                        .allMatch(id -> fixture.answers(id).size() == 1));
        assertEquals(
                "UNKNOWN: java.lang.IllegalStateException: broken",
                fixture.answers(exception).getFirst().content());
        assertEquals(ToolStatus.ERROR, fixture.answers(error).getFirst().status());
        assertTrue(fixture.answers(large).getFirst().content().startsWith("UNKNOWN: the result has 9,437,"));
    }

    @Test
    void limitsCallsInFlight() throws Exception {
        // Given
        var running = new AtomicInteger();
        Set<Integer> levels = ConcurrentHashMap.newKeySet();
        fixture.worker(fixture.settings().withMaxCalls(5), (_, _) -> {
            levels.add(running.incrementAndGet());
            new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
            running.decrementAndGet();
            return "";
        });

        // When
        var calls = new ArrayList<UUID>();
        for (int i = 0; i < 60; i++) {
            calls.add(fixture.ask(call("")));
        }

        // Then
        await().atMost(LONG)
                .until(() -> calls.stream().allMatch(id -> fixture.answers(id).size() == 1));
        assertTrue(levels.stream().allMatch(count -> count <= 5), "in flight: " + levels);
    }

    @Test
    @Tag("I113")
    void busyProjectLeavesRoomForOthers() throws Exception {
        // Given
        var release = new CountDownLatch(1);
        fixture.worker(fixture.settings().withMaxCalls(10), (request, _) -> {
            if (request.arguments().equals("busy")) {
                release.await();
            }
            return "";
        });
        for (int i = 0; i < 100; i++) {
            fixture.ask("busy/test:" + i, call("busy"));
        }
        await().atMost(LONG).until(() -> fixture.count("parley.worker.taken") == 8);

        // When
        var other = fixture.ask("other/test:1", call(""));

        // Then
        await().atMost(LONG).until(() -> fixture.answers(other).size() == 1);
        release.countDown();
        await().atMost(LONG).until(() -> fixture.count("parley.worker.taken") == 101);
    }

    @Test
    void dropsAndCountsExpiredRequests() throws Exception {
        var expired = fixture.ask(call(UUID.randomUUID(), 1, "", Duration.ofMillis(-1)));
        var good = fixture.ask(call(""));
        fixture.worker(fixture.settings(), (_, _) -> "");

        await().atMost(LONG).until(() -> fixture.answers(good).size() == 1);
        assertEquals(List.of(), fixture.answers(expired));
        assertEquals(1, fixture.count("parley.worker.dropped.late"));
    }

    @Test
    void stoppedWorkerHandsItsCallsOver() throws Exception {
        // Given
        var started = new CountDownLatch(1);
        WorkerFixture.Doing hang = (_, _) -> {
            started.countDown();
            new CountDownLatch(1).await();
            return "";
        };
        var first = fixture.worker(fixture.settings().withGrace(Duration.ofMillis(200)), hang);
        var id = fixture.ask(call(""));
        assertTrue(started.await(60, TimeUnit.SECONDS));

        // When
        first.close();

        // Then
        await().atMost(LONG).until(() -> fixture.of(id, RetryAfter.class).size() == 1);
        assertEquals(Duration.ZERO, fixture.of(id, RetryAfter.class).getFirst().delay());
        assertEquals(1, fixture.committed().orElseThrow().offset());
        assertNotEquals("", first.problem().orElse(""));
    }

    @Test
    @Tag("O3")
    void addedWorkerTakesPartitionsWithWaitingCalls() throws Exception {
        try (var two = new WorkerFixture(2)) {
            // Given a worker that has room for one call, which does not end, and calls that wait in both partitions
            two.worker(two.settings().withMaxCalls(1), (_, _) -> {
                new CountDownLatch(1).await();
                return "never";
            });
            var first = two.ask(0, call(""));
            await().atMost(LONG).until(() -> two.count("parley.worker.taken") == 1);
            var waiting = new HashMap<Integer, List<UUID>>();
            for (int partition = 0; partition < 2; partition++) {
                for (int i = 0; i < 20; i++) {
                    waiting.computeIfAbsent(partition, _ -> new ArrayList<>()).add(two.ask(partition, call("")));
                }
            }

            // When
            two.worker(two.settings(), (_, _) -> "by the other");

            // Then one partition's calls are all answered; the other's still wait for the first worker
            await().atMost(LONG)
                    .until(() -> waiting.values().stream()
                            .anyMatch(ids ->
                                    ids.stream().allMatch(id -> !two.answers(id).isEmpty())));
            assertEquals(List.of(), two.answers(first));
            assertEquals(
                    1,
                    waiting.values().stream()
                            .filter(ids ->
                                    ids.stream().allMatch(id -> two.answers(id).isEmpty()))
                            .count());
        }
    }
}
