package dev.parley.platform.worker;

import static dev.parley.platform.worker.WorkerFixture.call;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.embedded.ChildJvm;
import dev.parley.platform.embedded.KafkaLogin;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.testkit.TestInfra;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A worker in its own JVM, killed as by {@code kill -9}; the test acts as the machine that requests calls. */
class KilledWorkerIT {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Answers all but the call that says hang. */
    static final class Victim {
        public static void main(String[] args) throws Exception {
            var settings = WorkerSettings.of(args[1]).withLease(LEASE);
            var worker = new WorkerLoop<>(
                    KafkaClients.of(args[0], KafkaLogin.read(Path.of(args[2])).clientSettings()),
                    WorkerFixture.topic(args[1]),
                    WorkerFixture.handler((request, _) -> answer(request)),
                    settings,
                    null,
                    LocalDispatch.closed());
            worker.start();
            ChildJvm.startedThenWait();
        }

        private static String answer(ToolRequest request) throws InterruptedException {
            if (request.arguments().equals("hang")) {
                new CountDownLatch(1).await();
            }
            return "by the first";
        }
    }

    @Test
    @Tag("I74")
    @Tag("I68")
    void nextWorkerRunsOnlyTheOpenCallsOfTheKilledOne() throws Exception {
        try (var fixture = new WorkerFixture();
                var victim = ChildJvm.start(
                        Victim.class,
                        Path.of(TestInfra.kafka().bootstrap()),
                        Path.of(fixture.group),
                        TestInfra.folder())) {
            // Given a call that hangs, one that hangs with a short lease, and two hundred after them that are finished
            var ready = fixture.ask(call(""));
            await().atMost(LONG).until(() -> !fixture.answers(ready).isEmpty());
            var hanging = fixture.ask(call(UUID.randomUUID(), 1, "hang", Duration.ofMinutes(3)));
            var leased = call(UUID.randomUUID(), 1, "hang", LEASE.multipliedBy(2));
            fixture.ask(leased);
            var otherCalls = new ArrayList<UUID>();
            for (int i = 0; i < 200; i++) {
                otherCalls.add(fixture.ask(call(UUID.randomUUID(), 1, "" + i, Duration.ofMinutes(3))));
            }
            await().atMost(LONG)
                    .until(() -> otherCalls.stream()
                            .allMatch(id -> fixture.answers(id).size() == 1));
            await().atMost(LONG)
                    .until(() ->
                            !fixture.of(leased.callId(), CallProgress.class).isEmpty());
            await().atMost(LONG)
                    .until(() ->
                            fixture.committed().filter(KilledWorkerIT::holdsOne).isPresent());

            // When its worker is killed, the lease lapses, and the machine asks again
            victim.kill();
            await().atMost(LONG).until(() -> Instant.now().isAfter(leased.leaseUntil()));
            fixture.worker(fixture.settings(), (_, _) -> "by the other");
            fixture.ask(call(leased.callId(), 2, "hang", LONG));

            // Then the other one answers both, and none of the rest runs a second time
            await().atMost(LONG)
                    .until(() -> fixture.answers(leased.callId()).size() == 1
                            && fixture.answers(hanging).size() == 1);
            assertEquals(2, fixture.answers(leased.callId()).getFirst().attempt());
            assertEquals("by the other", fixture.answers(hanging).getFirst().content());
            await().atMost(LONG)
                    .until(() ->
                            fixture.committed().filter(p -> p.offset() == 204).isPresent());
            assertTrue(otherCalls.stream().allMatch(id -> fixture.answers(id).size() == 1));
            assertEquals(2, fixture.count("parley.worker.taken"));
            assertEquals(1, fixture.count("parley.worker.dropped.late"));
        }
    }

    /** The hanging call is the committed position, and its metadata records the later calls as finished. */
    private static boolean holdsOne(OffsetAndMetadata position) {
        var progress = new PartitionProgress(position);
        return position.offset() == 1 && progress.isFinishedBefore(3) && progress.isFinishedBefore(202);
    }
}
