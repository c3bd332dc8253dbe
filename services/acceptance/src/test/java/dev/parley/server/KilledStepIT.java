package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.server.Debugger.Moment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process at points before, during and after the commit of a step. */
class KilledStepIT {
    private static final String TURNS = "parley-turns-StreamThread";
    private static final String DISPATCH = "dev.parley.platform.dispatch.";

    private static final Moment ASK = new Moment(TURNS, DISPATCH + "TaskDispatch", "request");
    private static final Moment TAKEN = new Moment(TURNS, DISPATCH + "LocalDispatch", "count");
    private static final Moment ANSWER = new Moment("", DISPATCH + "TaskDispatch$Receiver", "offer");
    private static final Moment ANSWERED = new Moment(TURNS, "dev.parley.agents.turn.TurnProcessor", "onTaskAnswered");
    private static final Moment COMMIT =
            new Moment(TURNS, "dev.parley.platform.streams.CommitNotifyingProducer", "commitTransaction");
    private static final Moment COMMITTED = new Moment(TURNS, DISPATCH + "StreamThread", "onCommitted");
    private static final Moment TELL = new Moment(TURNS, "dev.parley.platform.gateway.WaitingTable", "deliver");

    /** The calls of a turn: model, an idempotent tool, model, an at-most-once tool, and model. */
    private static final String TURN = """
            !call echo {"text":"x"}
            !then
            !call once {"name":"%1$s"}
            !then
            !say done with %1$s""";

    private static final int ECHO = 2;
    private static final int ONCE = 4;
    private static final int LAST = 5;

    private static final List<Kill> KILLS = List.of(
            new Kill("before a call is handed over", Runs.LATER, times(ECHO, ASK)),
            new Kill("when it is handed over", Runs.LATER, times(ECHO, TAKEN)),
            new Kill("when it is answered", Runs.LATER, times(ECHO, ANSWER)),
            new Kill("before the step of its answer", Runs.LATER, times(ECHO, ANSWERED)),
            new Kill("before the commit that a call waits for", Runs.LATER, times(ONCE, ASK), COMMIT),
            new Kill("after that commit, before the call", Runs.LATER, times(ONCE, ASK), COMMITTED),
            new Kill("in the call", Runs.UNKNOWN, times(ONCE, TAKEN)),
            new Kill("before the commit that the caller waits for", Runs.BEFORE, times(LAST, ANSWERED), COMMIT),
            new Kill("after that commit, before the caller is told", Runs.BEFORE, times(LAST, ANSWERED), COMMITTED),
            new Kill("when the caller is told", Runs.BEFORE, times(LAST, ANSWERED), COMMITTED, TELL));

    /** Runs of the at-most-once tool: the maximum at the kill, and the minimum in the end. */
    private enum Runs {
        LATER(0, 1),
        UNKNOWN(1, 0),
        BEFORE(1, 1);

        private final int beforeTheKill;
        private final int atLeast;

        Runs(int beforeTheKill, int atLeast) {
            this.beforeTheKill = beforeTheKill;
            this.atLeast = atLeast;
        }
    }

    private record Kill(String when, Runs runs, List<Moment> moments) {
        Kill(String when, Runs runs, List<Moment> first, Moment... then) {
            this(when, runs, new ArrayList<>(first));
            moments.addAll(Arrays.asList(then));
        }
    }

    private static List<Moment> times(int count, Moment moment) {
        return Collections.nCopies(count, moment);
    }

    @TempDir
    Path folder;

    /** The broker and the database outlive the process, which halves the time of a start. */
    private Servers servers;

    @BeforeEach
    void start() {
        servers = new Servers(folder);
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    @Test
    @Tag("P14")
    void turnCompletesOnceAfterAKillAtAnyPoint() throws Exception {
        // Given
        Files.writeString(folder.resolve("parley.yml"), "permissions:\n  - { tool: once, action: allow }\n");
        Files.createFile(runLog());

        // When
        for (int i = 0; i < KILLS.size(); i++) {
            Kill kill = KILLS.get(i);
            String turn = "turn" + i;
            try (ParleyProcess process = process()) {
                Api api = process.api();
                if (i > 0) {
                    assertResumes(api, KILLS.get(i - 1), "turn" + (i - 1));
                } else {
                    api.say("other", TURN.formatted("other")); // all classes are loaded
                }
                try (var debugger = Debugger.attach(process.log())) {
                    CompletableFuture<Void> stopped = debugger.stopAfter(kill.moments());
                    var answer = CompletableFuture.supplyAsync(() -> submit(api, turn));
                    stopped.get(60, TimeUnit.SECONDS);
                    assertTrue(runs(turn) <= kill.runs().beforeTheKill, kill.when() + ": ran early");
                    assertFalse(answer.isDone(), kill.when() + ": answered early");
                    process.kill();
                }
            }
        }

        // Then
        try (ParleyProcess last = process()) {
            assertResumes(last.api(), KILLS.getLast(), "turn" + (KILLS.size() - 1));
            Awaitility.await() // the views are eventually consistent
                    .untilAsserted(() -> assertEquals(
                            IntStream.range(0, KILLS.size())
                                    .mapToObj(i -> "%d done with turn%d".formatted(i + 1, i))
                                    .toList(),
                            replies(last.api())));
        }
    }

    private static List<String> replies(Api api) {
        return api.list("/v1/sessions/killed/turns?limit=100").stream()
                .sorted(Comparator.comparingInt(turn -> turn.path("seq").asInt()))
                .map(turn ->
                        turn.path("seq").asText() + " " + turn.path("reply").asText())
                .toList();
    }

    private ParleyProcess process() {
        Map<String, String> environment = servers.environment("parley", 2);
        environment.put("JAVA_TOOL_OPTIONS", "-D%s=%s %s".formatted(OnceTool.FILE, runLog(), Debugger.OPTION));
        return ParleyProcess.start(folder.resolve("parley"), environment);
    }

    private Path runLog() {
        return folder.resolve("ran");
    }

    private long runs(String turn) {
        try (var lines = Files.lines(runLog())) {
            return lines.filter(turn::equals).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Api.Answer submit(Api api, String turn) {
        return api.post(
                "/v1/sessions/killed/turns?wait=60s",
                Map.of("text", TURN.formatted(turn)),
                Map.of("Idempotency-Key", turn));
    }

    /** The repeated request returns the same turn, which resumes. */
    private void assertResumes(Api api, Kill kill, String turn) {
        Api.Answer answer = submit(api, turn);
        assertEquals(200, answer.status(), () -> kill.when() + ": " + answer.text());
        assertEquals("done with " + turn, answer.json().path("reply").asText(), kill.when());
        long runs = runs(turn);
        assertTrue(kill.runs().atLeast <= runs && runs <= 1, kill.when() + ": ran " + runs + " times");
    }
}
