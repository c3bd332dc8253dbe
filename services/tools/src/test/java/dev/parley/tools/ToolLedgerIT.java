package dev.parley.tools;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.protocol.CallOutcome;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolLedger.Entry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Two workers, one of which dies during a call. A dead worker leaves an open ledger entry. */
class ToolLedgerIT {
    private static final Duration LEASE = Duration.ofMillis(400);
    private static final RecordKey SESSION = RecordKey.of("web:1");
    private static Repositories repositories;
    private static Database database;

    @TempDir
    private Path folder;

    private final CountingTool once = new CountingTool("once", ToolEffect.AT_MOST_ONCE);
    private final CountingTool asked = new CountingTool("asked", ToolEffect.RECONCILABLE);
    private final CountingTool free = new CountingTool("free", ToolEffect.IDEMPOTENT);
    private final ToolRegistry tools = new ToolRegistry(List.of(once, asked, free), true);

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        ToolsSchema.migrate(source(created.owner()), created.app().user());
        ToolsSchema.migrate(source(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        database = repositories.database();
    }

    @AfterAll
    static void close() {
        repositories.close();
    }

    private static DataSource source(DatabaseLogin login) {
        var source = new PGSimpleDataSource();
        source.setUrl(login.url());
        source.setUser(login.user());
        source.setPassword(login.password());
        return source;
    }

    private static ToolLedger ledger(String worker) {
        return new ToolLedger(database, repositories.bean(LedgerRows.class), worker, LEASE);
    }

    private CallResult run(String worker, ToolRequest request) throws Exception {
        return new ToolCallExecutor(tools, ledger(worker), unknown(), new BlobStore(folder, 1 << 20))
                .begin(request, new CallContext(SESSION.toString(), null, new Cancellation()))
                .run();
    }

    /** Repeats a call that is to be retried later until it is answered, as the machine does. */
    private ToolAnswered untilAnswered(String worker, ToolRequest request) {
        return (ToolAnswered) await().atMost(Duration.ofSeconds(20))
                .until(() -> run(worker, ToolRequests.again(request)), ToolAnswered.class::isInstance);
    }

    @Test
    @Tag("I74")
    void finishedCallIsAnsweredFromTheLedger() throws Exception {
        var request = ToolRequests.call("once", "{}");
        assertEquals("run 1", ((ToolAnswered) run("a", request)).content());
        assertEquals("run 1", ((ToolAnswered) run("b", ToolRequests.again(request))).content());
        assertEquals(1, once.runs.get());
    }

    @Test
    @Tag("I89")
    void doesNotRecordACallWithInvalidArguments() throws Exception {
        var wrong = ToolRequests.call("once", "{\"n\":\"one\"}");

        assertEquals("error: /n: string found, integer expected", ((ToolAnswered) run("a", wrong)).content());

        assertEquals(0, once.runs.get());
        assertInstanceOf(Entry.Run.class, ledger("b").begin(wrong, SESSION, ToolEffect.AT_MOST_ONCE), "it never began");
    }

    @Test
    @Tag("I74")
    void ledgerKeepsTheFilesOfAFinishedCall() throws Exception {
        var request = ToolRequests.call("once", "{\"file\":\"a'\\\"ü.txt\"}");
        var first = (ToolAnswered) run("a", request);
        var second = (ToolAnswered) run("b", ToolRequests.again(request));
        assertEquals("a'_ü.txt", first.files().getFirst().name());
        assertEquals(first.files(), second.files());
        assertEquals(first.content(), second.content());
        assertEquals(1, once.runs.get());
    }

    @Test
    @Tag("I74")
    void atMostOnceCallOfADeadWorkerStaysUnknown() throws Exception {
        var request = ToolRequests.call("once", "{}");
        ledger("dead").begin(request, SESSION, ToolEffect.AT_MOST_ONCE);

        assertInstanceOf(RetryAfter.class, run("b", ToolRequests.again(request)), "the first one may still be at it");
        var answer = untilAnswered("b", request);

        assertEquals(ToolStatus.UNKNOWN, answer.status());
        assertTrue(
                answer.content().startsWith("error: outcome unknown: the worker that had the call is gone"),
                answer.content());
        assertEquals(answer.content(), ((ToolAnswered) run("c", ToolRequests.again(request))).content());
        assertEquals(0, once.runs.get());
    }

    @Test
    @Tag("I74")
    void reconcilesACallOfADeadWorker() throws Exception {
        var happened = ToolRequests.call("asked", "{}");
        var notHappened = ToolRequests.call("asked", "{}");
        ledger("dead").begin(happened, SESSION, ToolEffect.RECONCILABLE);
        ledger("dead").begin(notHappened, SESSION, ToolEffect.RECONCILABLE);
        asked.happened.add(happened.callId());

        assertEquals("it had happened", untilAnswered("b", happened).content());
        assertEquals(0, asked.runs.get());
        assertEquals("run 1", untilAnswered("b", notHappened).content());
    }

    @Test
    void idempotentCallRunsAgain() throws Exception {
        var request = ToolRequests.call("free", "{}");
        run("dead", request);
        assertEquals("run 2", ((ToolAnswered) run("b", ToolRequests.again(request))).content());
    }

    @Test
    void heartbeatKeepsTheCallOfAWorker() throws Exception {
        // Given
        var request = ToolRequests.call("once", "{}");
        var alive = ledger("alive");
        alive.begin(request, SESSION, ToolEffect.AT_MOST_ONCE);

        // When
        await().during(LEASE.multipliedBy(3))
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    alive.renewLease(request);
                    return run("b", ToolRequests.again(request)) instanceof RetryAfter;
                });

        // Then
        assertTrue(alive.end(request, ToolStatus.COMPLETED, "mine", List.of()));
        assertEquals("mine", ((ToolAnswered) run("b", ToolRequests.again(request))).content());
    }

    @Test
    void onlyOneOfManyWorkersRunsACall() throws Exception {
        var request = ToolRequests.call("once", "{}");
        var calls = new ArrayList<Callable<CallResult>>();
        for (int i = 0; i < 8; i++) {
            String worker = "w" + i;
            calls.add(() -> run(worker, request));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.invokeAll(calls);
        }
        assertEquals(1, once.runs.get());
    }

    @Test
    void exceptionLeavesTheOutcomeUnknownOrReconcilesIt() throws Exception {
        assertEquals(
                ToolStatus.UNKNOWN, ((ToolAnswered) run("a", ToolRequests.call("once", "{\"fail\":true}"))).status());
        assertEquals(
                "it had happened", ((ToolAnswered) run("a", ToolRequests.call("asked", "{\"fail\":true}"))).content());
    }

    @Test
    void lateWorkerDoesNotOverwriteTheResult() throws Exception {
        var request = ToolRequests.call("asked", "{}");
        ledger("slow").begin(request, SESSION, ToolEffect.RECONCILABLE);
        assertEquals("run 1", untilAnswered("b", request).content());
        assertFalse(ledger("slow").end(request, ToolStatus.COMPLETED, "too late", List.of()));
    }

    @Test
    void purgesFinishedCallsByAge() throws Exception {
        var unknown = unknownCall();
        var request = ToolRequests.call("once", "{}");
        run("a", request);
        assertEquals(0, ledger("a").purge(Duration.ofDays(1)));
        await().atMost(Duration.ofSeconds(10)).until(() -> ledger("a").purge(Duration.ZERO) > 0);
        assertInstanceOf(Entry.Run.class, ledger("a").begin(request, SESSION, ToolEffect.AT_MOST_ONCE));
        var recorded =
                assertInstanceOf(Entry.Recorded.class, ledger("a").begin(unknown, SESSION, ToolEffect.AT_MOST_ONCE));
        assertEquals(ToolStatus.UNKNOWN, recorded.status());
    }

    @Test
    @Tag("O10")
    void erasedSessionLosesLateResultsButCallsAreNotRepeated() throws Exception {
        // Given a running call whose session is erased
        var request = ToolRequests.call("once", "{}");
        ledger("a").begin(request, SESSION, ToolEffect.AT_MOST_ONCE);
        database.in(
                Tenant.of(request.host()),
                transaction -> transaction.update(
                        "INSERT INTO tools.erased_session_t (host_id, session_id) VALUES (?, ?)",
                        request.host(),
                        request.sessionId()));
        ledger("a").end(request, ToolStatus.COMPLETED, "zanzibar", List.of());

        // When
        ledger("b").purge(Duration.ofDays(1));

        // Then
        var entry =
                assertInstanceOf(Entry.Recorded.class, ledger("b").begin(request, SESSION, ToolEffect.AT_MOST_ONCE));
        assertEquals("", entry.result());

        // When its retention has passed
        await().atMost(Duration.ofSeconds(10)).until(() -> ledger("b").purge(Duration.ZERO) > 0);

        // Then nothing of the call remains
        assertEquals(0, ledger("b").purge(Duration.ZERO));
    }

    private UnknownCalls unknown() {
        return new UnknownCalls(database, repositories.bean(LedgerRows.class));
    }

    /** A call with an unknown outcome. */
    private ToolRequest unknownCall() throws Exception {
        var request = ToolRequests.call("once", "{\"fail\":true}");
        assertEquals(ToolStatus.UNKNOWN, ((ToolAnswered) run("a", request)).status());
        return request;
    }

    @Test
    void unknownCallIsDecidedOnceByAUser() throws Exception {
        // Given
        var request = unknownCall();
        UUID host = request.host();
        var waiting = unknown().list(host, SESSION.projectId(), null, null, 10);

        // When
        var decided = unknown()
                .decide(host, SESSION.projectId(), request.callId(), CallOutcome.HAPPENED, "zoe", "seen at the bank")
                .orElseThrow();

        // Then
        var call = waiting.getFirst();
        assertEquals(
                List.of(request.callId()), waiting.stream().map(UnknownCall::id).toList());
        assertEquals("web:1", call.session());
        assertEquals(request.sessionId(), call.sessionId());
        assertEquals(request.turnId(), call.turnId());
        assertEquals("default once AT_MOST_ONCE", call.agent() + " " + call.tool() + " " + call.effect());
        assertTrue(call.result().startsWith("error: outcome unknown: connection reset"), call.result());
        assertFalse(call.finishedAt().isBefore(call.startedAt()));
        assertNull(call.decision());
        var decision = Objects.requireNonNull(decided.decision());
        assertEquals(
                "HAPPENED zoe seen at the bank", decision.outcome() + " " + decision.user() + " " + decision.note());
        assertFalse(decision.at().isBefore(call.finishedAt()));
        assertEquals(List.of(), unknown().list(host, SESSION.projectId(), null, null, 10));
        assertEquals(
                Optional.empty(),
                unknown().decide(host, SESSION.projectId(), request.callId(), CallOutcome.DID_NOT_HAPPEN, "max", null));
        assertEquals(
                Optional.of(decided), unknown().find(host, SESSION.projectId(), request.callId()), "the first stands");
        assertEquals(ToolStatus.UNKNOWN, ((ToolAnswered) run("b", ToolRequests.again(request))).status());
        assertEquals(1, once.runs.get(), "it is not made again");
    }

    @Test
    void otherProjectsAndHostsCannotSeeOrDecideAnUnknownCall() throws Exception {
        // Given
        var request = unknownCall();
        UUID project = SESSION.projectId();

        // Then
        for (var scope : List.of(List.of(request.host(), UUID.randomUUID()), List.of(UUID.randomUUID(), project))) {
            UUID host = scope.getFirst();
            assertEquals(List.of(), unknown().list(host, scope.getLast(), null, null, 10));
            assertEquals(Optional.empty(), unknown().find(host, scope.getLast(), request.callId()));
            assertEquals(
                    Optional.empty(),
                    unknown().decide(host, scope.getLast(), request.callId(), CallOutcome.HAPPENED, "max", null));
        }
        var elsewhere = Tenant.of(request.host()).project(UUID.randomUUID());
        String update = "UPDATE tools.tool_execution_t SET tool = 'x' WHERE call_id = ?";
        assertEquals(
                0,
                (int) database.in(elsewhere, transaction -> transaction.update(update, request.callId())),
                "Postgres keeps them apart, too");
    }

    @Test
    void runningAndFinishedCallsCannotBeDecided() throws Exception {
        // Given
        var finished = ToolRequests.call("once", "{}");
        run("a", finished);
        var running = ToolRequests.call("once", "{}");
        ledger("a").begin(running, SESSION, ToolEffect.AT_MOST_ONCE);

        // Then
        for (var request : List.of(finished, running)) {
            UUID project = SESSION.projectId();
            assertEquals(List.of(), unknown().list(request.host(), project, null, null, 10));
            assertEquals(Optional.empty(), unknown().find(request.host(), project, request.callId()));
            assertEquals(
                    Optional.empty(),
                    unknown().decide(request.host(), project, request.callId(), CallOutcome.HAPPENED, "zoe", null));
        }
    }

    @Test
    void purgesDecidedCallsByTheTimeOfTheDecision() throws Exception {
        // Given two calls that ended a year ago, of which one is decided now
        var decided = unknownCall();
        var waiting = unknownCall();
        for (var request : List.of(decided, waiting)) {
            database.in(Tenant.of(request.host()), transaction -> transaction.update("""
                            UPDATE tools.tool_execution_t SET finished_ts = finished_ts - interval '1 year'
                             WHERE call_id = ?""", request.callId()));
        }
        UUID project = SESSION.projectId();
        unknown().decide(decided.host(), project, decided.callId(), CallOutcome.DID_NOT_HAPPEN, "zoe", null);

        // When
        ledger("a").purge(Duration.ofDays(1));

        // Then both remain
        assertTrue(unknown().find(decided.host(), project, decided.callId()).isPresent());
        assertEquals(1, unknown().list(waiting.host(), project, null, null, 10).size());

        // When the retention of the decided call has passed
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            ledger("a").purge(Duration.ZERO);
            return unknown().find(decided.host(), project, decided.callId()).isEmpty();
        });

        // Then the undecided call remains
        assertEquals(1, unknown().list(waiting.host(), project, null, null, 10).size());
    }

    @Test
    @Tag("O10")
    void erasedSessionLosesKeyResultAndNoteOfItsCalls() throws Exception {
        // Given
        var request = unknownCall();
        unknown()
                .decide(request.host(), SESSION.projectId(), request.callId(), CallOutcome.HAPPENED, "zoe", "zanzibar");
        database.in(
                Tenant.of(request.host()),
                transaction -> transaction.update(
                        "INSERT INTO tools.erased_session_t (host_id, session_id) VALUES (?, ?)",
                        request.host(),
                        request.sessionId()));

        // When
        ledger("b").purge(Duration.ofDays(1));

        // Then
        var call = unknown()
                .find(request.host(), SESSION.projectId(), request.callId())
                .orElseThrow();
        assertEquals("", call.session() + call.result());
        assertNull(Objects.requireNonNull(call.decision()).note());
    }

    @Test
    void gaugeShowsTheNumberOfUnknownCalls() throws Exception {
        var meters = new SimpleMeterRegistry();
        Runnable count = unknown().gauge(meters);
        unknownCall();

        count.run();

        assertEquals(
                (double) unknown().count(),
                meters.get("parley.tool.calls.unknown").gauge().value());
        assertTrue(unknown().count() > 0);
    }
}
