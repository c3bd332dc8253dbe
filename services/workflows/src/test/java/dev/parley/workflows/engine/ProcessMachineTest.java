package dev.parley.workflows.engine;

import static dev.parley.workflows.engine.Results.assertOutput;
import static dev.parley.workflows.engine.Results.fault;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.definition.YamlText;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.simulation.Simulation;
import dev.parley.workflows.simulation.Simulation.Answer;
import dev.parley.workflows.simulation.Simulation.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessMachineTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** Results by the name of the task; a call without one never returns. */
    private static class World implements Simulation.World {
        private final Map<String, Function<ProcessEffect.Call, Answer>> calls = new HashMap<>();
        private final Map<String, Json> answers = new HashMap<>();
        private final List<Json> events = new ArrayList<>();
        private final List<ProcessEffect.Call> called = new ArrayList<>();

        World gives(String task, String json) {
            calls.put(task, _ -> new Answer(JsonText.read(json), null));
            return this;
        }

        World fails(String task, int status, int times) {
            int[] remaining = {times};
            calls.put(
                    task,
                    _ -> remaining[0]-- > 0
                            ? new Answer(Values.NULL, WorkflowError.Standard.COMMUNICATION.error(status, "down", ""))
                            : new Answer(Json.of("fine"), null));
            return this;
        }

        World answers(String task, String json) {
            answers.put(task, JsonText.read(json));
            return this;
        }

        World event(String json) {
            events.add(JsonText.read(json));
            return this;
        }

        @Override
        public Optional<Answer> call(ProcessEffect.Call call) {
            called.add(call);
            return Optional.ofNullable(calls.get(call.name())).map(answer -> answer.apply(call));
        }

        @Override
        public Optional<Json> ask(ProcessEffect.Ask ask) {
            return Optional.ofNullable(answers.get(ask.name()));
        }

        @Override
        public List<Json> listen(ProcessEffect.Listen listen) {
            return events;
        }
    }

    private static Workflow workflow(String body) {
        return DefinitionReader.read("""
                document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }
                """ + body);
    }

    private static Result run(String body, String input, World world) {
        return Simulation.run(workflow(body), YamlText.of(input).value(), world, NOW);
    }

    private static Result run(String body, String input) {
        return run(body, input, new World());
    }

    // ---- data and flow, from the specification's conformance scenarios

    @Test
    @Tag("W30")
    void tasksRunInTheirOrder() {
        Result result = run("""
                do:
                  - one: { set: { seen: '${ .seen + ["one"] }' } }
                  - two: { set: { seen: '${ .seen + ["two"] }' } }
                """, "{}");

        assertOutput("seen: [one, two]", result);
        assertEquals(List.of("one", "two"), result.begunTasks());
    }

    @Test
    @Tag("W30")
    void thenContinuesAtTheNamedTask() {
        Result result = run("""
                do:
                  - one: { set: { seen: '${ .seen + ["one"] }' }, then: three }
                  - two: { set: { seen: '${ .seen + ["two"] }' }, then: end }
                  - three: { set: { seen: '${ .seen + ["three"] }' }, then: two }
                """, "{}");

        assertOutput("seen: [one, three, two]", result);
    }

    @Test
    @Tag("W28")
    void eachIterationHasItsOwnPathsAndKeys() {
        // Given
        var world = new World().gives("get", "1");

        // When
        Result result = run("""
                do:
                  - get: { call: http, with: { method: get, endpoint: 'http://host/' }, output: { as: '$input + { n: (($input.n // 0) + 1) }' } }
                  - again: { switch: [{ more: { when: .n < 3, then: get } }] }
                """, "{}", world);

        // Then
        assertOutput("n: 3", result);
        assertEquals(
                List.of("/do/0/get", "/do/1/again", "/do/0/get@1", "/do/1/again@1", "/do/0/get@2", "/do/1/again@2"),
                result.changes()
                        .filter(change -> change.phase() == Phase.COMPLETED)
                        .map(ProcessEvent.TaskChanged::path)
                        .toList());
        assertEquals(
                3,
                world.called.stream()
                        .map(ProcessEffect.Call::idempotencyKey)
                        .distinct()
                        .count());
    }

    @Test
    void continueInACaseRunsTheNextTask() {
        assertOutput("n: 2", run("""
                do:
                  - choose: { switch: [{ on: { when: .go, then: continue } }], then: end }
                  - next: { set: { n: 2 } }
                """, "go: true"));
    }

    @Test
    @Tag("W30")
    void exitLeavesTheListAndEndEndsTheWorkflow() {
        // When
        Result result = run("""
                do:
                  - inner:
                      do:
                        - a: { set: { n: 1 }, then: exit }
                        - skipped: { set: { n: 2 } }
                  - b: { set: { n: '${ .n + 10 }' } }
                  - c:
                      do:
                        - d: { set: { n: '${ .n + 100 }' }, then: end }
                  - never: { set: { n: 0 } }
                """, "{}");

        // Then
        assertOutput("n: 111", result);
        assertEquals(List.of("inner", "a", "b", "c", "d"), result.begunTasks());
    }

    @ParameterizedTest
    @CsvSource({"red, '{picked: red}'", "green, '{picked: green}'", "yellow, '{picked: other}'"})
    void switchTakesTheFirstMatchingCase(String color, String expected) {
        // Then
        assertOutput(expected, run("""
                do:
                  - choose:
                      switch:
                        - isRed: { when: .color == "red", then: red }
                        - isGreen: { when: .color == "green", then: green }
                        - others: { then: other }
                  - red: { set: { picked: red }, then: end }
                  - green: { set: { picked: green }, then: end }
                  - other: { set: { picked: other } }
                """, "color: " + color));
    }

    @Test
    void switchWithoutAMatchFollowsItsOwnThen() {
        assertOutput("color: yellow", run("""
                do:
                  - choose:
                      switch:
                        - isRed: { when: .color == "red", then: red }
                      then: end
                  - red: { set: { picked: red } }
                """, "color: yellow"));
    }

    @Test
    void transformsInputExportAndOutput() {
        assertOutput("{ who: u1, all: [u1, 7] }", run("""
                do:
                  - take: { input: { from: .user.id }, set: { who: '${ . }' }, export: { as: .who } }
                  - ask:
                      call: http
                      with: { method: get, endpoint: 'http://host/{who}' }
                      output: { as: '{ who: $context, all: [$context, .id] }' }
                """, "user: { id: u1 }", new World().gives("ask", "{\"id\":7}")));
    }

    @Test
    @Tag("W18")
    void rejectsAnInputThatViolatesTheSchema() {
        String body = """
                input: { schema: { document: { type: object, required: [name] } } }
                do: [{ a: { set: {} } }]
                """;

        assertThrows(ProcessMachine.InvalidInputException.class, () -> run(body, "{}"));
        assertOutput("{}", run(body, "name: x"));
    }

    @Test
    void skipsATaskWhoseConditionIsFalse() {
        Result result = run("""
                do:
                  - a: { if: .go, set: { a: 1 } }
                  - b: { if: .go | not, set: { b: 2 } }
                """, "go: false");

        assertOutput("b: 2", result);
        assertEquals(List.of("b"), result.begunTasks());
    }

    @Test
    void expandsAndEncodesUriTemplates() {
        var world = new World().gives("get", "1");

        run(
                "do: [{ get: { call: http, with: { method: get, endpoint: { uri: 'http://host/{a}/{b}?x={c}' } } } }]",
                "{ a: 'x y/z', b: 5 }",
                world);

        assertEquals(
                "http://host/x%20y%2Fz/5?x=",
                world.called.getFirst().arguments().get("endpoint").get("uri").display());
    }

    @Test
    void expressionsSeeTaskWorkflowAndRuntimeVariables() {
        // Then
        assertOutput("""
                { name: a, reference: /do/0/a, id: 00000000-0000-0000-0000-000000000001, runtime: parley, at: 1767225600, input: 5 }
                """, run("""
                do:
                  - a:
                      input: { from: .n }
                      set:
                        name: ${ $task.name }
                        reference: ${ $task.reference }
                        id: ${ $workflow.id }
                        runtime: ${ $runtime.name }
                        at: ${ now }
                        input: ${ $input }
                """, "n: 5"));
    }

    // ---- loops and branches

    @Test
    @Tag("W28")
    void forRunsItsTasksForEachItem() {
        // When
        Result result = run("""
                do:
                  - loop:
                      for: { each: color, in: .colors }
                      do:
                        - mark: { set: { seen: '${ .seen + [$color + "\\($index)"] }' } }
                """, "colors: [red, blue]");

        // Then
        assertOutput("seen: [red0, blue1]", result);
        assertEquals(
                List.of("/do/0/loop", "/do/0/loop#0/do/0/mark", "/do/0/loop#1/do/0/mark"),
                result.changes()
                        .filter(change -> change.phase() == Phase.RUNNING)
                        .map(change -> change.path())
                        .toList());
    }

    @Test
    void whileEndsALoop() {
        assertOutput("n: 3", run("""
                do:
                  - loop:
                      for: { in: '[range(10)]' }
                      while: (.n // 0) < 3
                      do: [{ add: { set: { n: '${ (.n // 0) + 1 }' } } }]
                """, "{}"));
    }

    @Test
    void loopWaitsForCallsOfEachIteration() {
        // Given
        var world = new World().gives("get", "{\"id\":7}");

        // Then
        assertOutput("{ got: [7, 7] }", run("""
                do:
                  - loop:
                      for: { in: .ids, each: id }
                      do:
                        - get:
                            call: http
                            with: { method: get, endpoint: 'http://host/', query: { id: '${ $id }' } }
                            output: { as: '{ got: ($input.got + [.id]) }' }
                """, "ids: [1, 2]", world));
        assertEquals(
                List.of("1", "2"),
                world.called.stream()
                        .map(call -> call.arguments().get("query").get("id").display())
                        .toList());
    }

    @Test
    void branchesRunInParallelAndCollectTheirOutputs() {
        // When
        Result result = run("""
                do:
                  - both:
                      fork:
                        branches:
                          - slow: { do: [{ nap: { wait: PT5S } }, { a: { set: a } }] }
                          - fast: { set: b }
                """, "{}");

        // Then
        assertOutput("[a, b]", result);
        assertEquals(NOW.plusSeconds(5), result.state().completedAt());
    }

    @Test
    void firstCompetingBranchCancelsTheOthers() {
        // When
        Result result = run("""
                do:
                  - race:
                      fork:
                        compete: true
                        branches:
                          - phone: { call: http, with: { method: get, endpoint: 'http://host/phone' } }
                          - person: { ask: { prompt: 'Are you there?' } }
                          - clock: { do: [{ nap: { wait: PT1M } }, { late: { set: late } }] }
                """, "{}", new World());

        // Then
        assertOutput("late", result);
        assertEquals(List.of("phone", "person"), result.enteredTasks(Phase.CANCELLED));
        assertTrue(result.effects().stream().anyMatch(ProcessEffect.CancelCall.class::isInstance));
        assertTrue(result.effects().stream().anyMatch(ProcessEffect.CancelAsk.class::isInstance));
    }

    @Test
    void failedBranchCancelsTheOthers() {
        // When
        Result result = run("""
                do:
                  - both:
                      fork:
                        branches:
                          - calls: { call: http, with: { method: get, endpoint: 'http://host/' } }
                          - breaks: { raise: { error: { type: 'https://x/broken', status: 418 } } }
                """, "{}");

        // Then
        assertEquals("https://x/broken", fault(result).type());
        assertEquals(List.of("calls"), result.enteredTasks(Phase.CANCELLED));
    }

    // ---- failures

    @Test
    @Tag("W20")
    void anErrorNamesTheTask() {
        WorkflowError error = fault(run("""
                do:
                  - a: { set: {} }
                  - b: { raise: { error: { type: 'https://x/lost', status: 404, title: Lost, detail: '${ "no " + "trace" }' } } }
                """, "{}"));

        assertEquals(new WorkflowError("https://x/lost", 404, "Lost", "no trace", "/do/1/b"), error);
    }

    @Test
    void aCaughtErrorIsHandled() {
        // When
        Result result = run("""
                do:
                  - attempt:
                      try:
                        - get: { call: http, with: { method: get, endpoint: 'http://host/{name}' } }
                      catch:
                        errors: { with: { type: 'https://serverlessworkflow.io/dsl/errors/types/communication', status: 404 } }
                        as: err
                        do: [{ keep: { set: { error: '${ $err }' } } }]
                """, "name: Milou", new World().fails("get", 404, 9));

        // Then
        assertEquals(
                "/do/0/attempt/try/0/get",
                result.state().output().get("error").get("instance").display());
        assertEquals(Phase.COMPLETED, result.state().phase());
    }

    @Test
    void catchIgnoresOtherErrors() {
        assertEquals(
                404, fault(run("""
                do:
                  - attempt:
                      try: [{ get: { call: http, with: { method: get, endpoint: 'http://host/' } } }]
                      catch: { errors: { with: { status: 503 } }, do: [{ keep: { set: {} } }] }
                """, "{}", new World().fails("get", 404, 9))).status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{ delay: PT1S, limit: { attempt: { count: 5 } } } ~ 3 ~ 3",
                "{ delay: PT1S, backoff: { linear: {} }, limit: { attempt: { count: 5 } } } ~ 3 ~ 6",
                "{ delay: { seconds: 1 }, backoff: { exponential: {} }, limit: { attempt: { count: 5 } } } ~ 3 ~ 7",
                "{ limit: { attempt: { count: 5 } } } ~ 3 ~ 0",
            })
    @Tag("W32")
    void retriesWithTheConfiguredDelays(String retry, int failures, int seconds) {
        // Given
        var world = new World().fails("get", 503, failures);

        // When
        Result result = run("""
                do:
                  - attempt:
                      try: [{ get: { call: http, with: { method: get, endpoint: 'http://host/' } } }]
                      catch: { errors: { with: { status: 503 } }, retry: %s }
                """.formatted(retry), "{}", world);

        // Then
        assertOutput("fine", result);
        assertEquals(failures + 1, world.called.size());
        assertEquals(NOW.plusSeconds(seconds), result.state().completedAt());
        assertEquals(
                1,
                world.called.stream()
                        .map(ProcessEffect.Call::idempotencyKey)
                        .distinct()
                        .count());
        assertEquals(
                failures + 1,
                world.called.stream().map(ProcessEffect.Call::key).distinct().count());
    }

    @Test
    @Tag("W28")
    void countsAttemptsAcrossNestedTries() {
        // Given
        var world = new World().fails("get", 503, 100);

        // When
        Result result = run("""
                do:
                  - attempt:
                      try:
                        - get:
                            call: http
                            with: { method: get, endpoint: 'http://host/' }
                            retry: { limit: { attempt: { count: 1 } } }
                      catch: { retry: { limit: { attempt: { count: 2 } } }, do: [{ give: { set: up } }] }
                """, "{}", world);

        // Then
        assertOutput("up", result);
        assertEquals(
                List.of(1, 2, 3, 4, 5, 6),
                result.changes()
                        .filter(change -> change.name().equals("get") && change.phase() == Phase.FAULTED)
                        .map(ProcessEvent.TaskChanged::attempt)
                        .toList());
    }

    @Test
    @Tag("W32")
    void retriesEndWithTheirLimit() {
        var world = new World().fails("get", 503, 100);
        String body = """
                do:
                  - attempt:
                      try: [{ get: { call: http, with: { method: get, endpoint: 'http://host/' } } }]
                      catch: { errors: { with: { status: 503 } }, retry: { delay: PT1S, limit: %s } }
                """;

        assertEquals(
                503,
                fault(run(body.formatted("{ attempt: { count: 4 } }"), "{}", world))
                        .status());
        assertEquals(5, world.called.size());
        world.called.clear();
        assertEquals(
                503,
                fault(run(body.formatted("{ duration: PT3S }"), "{}", world)).status());
        assertEquals(4, world.called.size());
    }

    @Test
    void jitterIsTheSameForTheSameAttempt() {
        // Given
        String body = """
                do:
                  - attempt:
                      try: [{ get: { call: http, with: { method: get, endpoint: 'http://host/' } } }]
                      catch: { retry: { delay: PT1S, jitter: { from: PT1S, to: PT9S }, limit: { attempt: { count: 3 } } } }
                """;

        // When
        Instant first =
                run(body, "{}", new World().fails("get", 503, 2)).state().completedAt();

        // Then
        assertEquals(
                first, run(body, "{}", new World().fails("get", 503, 2)).state().completedAt());
        assertTrue(Objects.requireNonNull(first).isAfter(NOW.plusSeconds(4)));
    }

    @Test
    void retriesASingleTask() {
        // Given
        var world = new World().fails("get", 503, 2);

        // When
        Result result = run("""
                do:
                  - get:
                      call: http
                      with: { method: get, endpoint: 'http://host/' }
                      retry: { delay: PT2S, limit: { attempt: { count: 3 } } }
                """, "{}", world);

        // Then
        assertOutput("fine", result);
        assertEquals(
                List.of(1, 2, 3),
                result.changes()
                        .filter(change -> change.phase() == Phase.RUNNING)
                        .map(ProcessEvent.TaskChanged::attempt)
                        .distinct()
                        .toList());
        assertEquals(
                1,
                world.called.stream()
                        .map(ProcessEffect.Call::idempotencyKey)
                        .distinct()
                        .count());
    }

    @Test
    @Tag("W32")
    void retryDurationCountsFromTheFirstAttempt() {
        // Given
        var world = new World().fails("get", 503, 100);

        // When
        fault(run("""
                do:
                  - get:
                      call: http
                      with: { method: get, endpoint: 'http://host/' }
                      retry: { delay: PT1M, limit: { duration: PT2M30S } }
                """, "{}", world));

        // Then
        assertEquals(3, world.called.size());
    }

    @Test
    void anExpressionThatFailsIsAnErrorThatCanBeCaught() {
        assertOutput("{ why: Expression Error }", run("""
                do:
                  - attempt:
                      try: [{ add: { set: '${ .name + 1 }' } }]
                      catch: { as: e, do: [{ keep: { set: { why: '${ $e.title }' } } }] }
                """, "name: Ada"));
    }

    // ---- timeouts and schedules

    @Test
    void waitLastsItsDuration() {
        Result result = run("do: [{ nap: { wait: { minutes: 2 } } }, { done: { set: { ok: true } } }]", "{}");

        assertOutput("ok: true", result);
        assertEquals(NOW.plus(Duration.ofMinutes(2)), result.state().completedAt());
        assertEquals(List.of("nap"), result.enteredTasks(Phase.WAITING));
    }

    @Test
    void aTaskThatTakesTooLongIsStopped() {
        Result result = run("""
                do:
                  - attempt:
                      try: [{ get: { call: http, with: { method: get, endpoint: 'http://host/' }, timeout: { after: PT5S } } }]
                      catch: { errors: { with: { status: 408 } }, do: [{ late: { set: { late: true } } }] }
                """, "{}");

        assertOutput("late: true", result);
        assertTrue(result.effects().stream().anyMatch(ProcessEffect.CancelCall.class::isInstance));
    }

    @Test
    void aWorkflowThatTakesTooLongFails() {
        WorkflowError error = fault(run("timeout: { after: PT1H }\ndo: [{ ask: { ask: { prompt: 'Well?' } } }]", "{}"));

        assertEquals(WorkflowError.Standard.TIMEOUT.type(), error.type());
    }

    // ---- people

    @Test
    void continuesWithTheAnswerOfAPerson() {
        assertOutput("{ said: APPROVED }", run("""
                do:
                  - approve: { ask: { prompt: 'May it?', mode: approval, options: [{ value: APPROVED }, { value: REJECTED }] } }
                  - keep: { set: { said: '${ .value }' } }
                """, "{}", new World().answers("approve", "{\"value\":\"APPROVED\"}")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{ action: default, default: REJECTED } ~ { value: REJECTED }",
                "{ action: default, default: { value: NO, why: late } } ~ { value: NO, why: late }",
            })
    @Tag("W25")
    void usesTheDefaultAnswerAfterTheTimeout(String onTimeout, String expected) {
        assertOutput(expected, run("""
                do: [{ approve: { ask: { prompt: 'May it?', timeout: { after: PT24H }, onTimeout: %s } } }]
                """.formatted(onTimeout), "{}"));
    }

    @Test
    void nextDescribesTheAwaitedAnswerOrCall() {
        Result asks = run("do: [{ approve: { ask: { prompt: 'May it?' } } }]", "{}");
        assertEquals("a person who answers 'approve': May it?", asks.next());
        assertEquals(Phase.WAITING, asks.state().phase());

        Result calls = run("do: [{ get: { call: http, with: { method: get, endpoint: 'http://host/' } } }]", "{}");
        assertEquals("the answer of 'get'", calls.next());
        assertEquals(Phase.RUNNING, calls.state().phase());
    }

    // ---- events

    @Test
    void anEventIsEmitted() {
        Result result = run("""
                do: [{ tell: { emit: { event: { with: { source: 'https://x', type: x.done, data: { name: '${ .name }' } } } } } }]
                """, "name: Ada");

        Json event = result.state().output();
        assertEquals("1.0", event.get("specversion").display());
        assertEquals("Ada", event.get("data").get("name").display());
        assertFalse(event.get("id").isNull() || event.get("time").isNull());
        assertEquals(List.of(new ProcessEffect.Emit(event)), result.effects());
    }

    @Test
    void listensToOneAnyOrAllEvents() {
        // Given
        World world = new World()
                .event("{\"type\":\"other\",\"data\":{\"t\":40}}")
                .event("{\"type\":\"temperature\",\"data\":{\"t\":37}}")
                .event("{\"type\":\"temperature\",\"data\":{\"t\":39}}")
                .event("{\"type\":\"pulse\",\"data\":{\"bpm\":120}}");
        String filters = "[{ with: { type: temperature, data: '${ .t > 38 }' } }, { with: { type: pul.e } }]";

        // Then
        assertOutput("[{ t: 39 }]", run("do: [{ hear: { listen: { to: { any: " + filters + " } } } }]", "{}", world));
        assertOutput(
                "[{ t: 39 }, { bpm: 120 }]",
                run("do: [{ hear: { listen: { to: { all: " + filters + " } } } }]", "{}", world));
        assertOutput(
                "[{ t: 40 }, { t: 37 }]",
                run("do: [{ hear: { listen: { to: { any: [], until: length == 2 } } } }]", "{}", world));
        assertOutput("[pulse]", run("""
                do: [{ hear: { listen: { to: { one: { with: { type: pulse } } }, read: envelope }, output: { as: '[.[].type]' } } }]
                """, "{}", world));
    }

    @Test
    void untilEventEndsListening() {
        World world = new World()
                .event("{\"type\":\"reading\",\"data\":1}")
                .event("{\"type\":\"reading\",\"data\":2}")
                .event("{\"type\":\"left\",\"data\":0}")
                .event("{\"type\":\"reading\",\"data\":3}");

        assertOutput("[1, 2]", run("""
                do:
                  - hear: { listen: { to: { any: [{ with: { type: reading } }], until: { one: { with: { type: left } } } } } }
                """, "{}", world));
    }

    @Test
    void foreachRunsTasksForEachEvent() {
        // Given
        World world = new World()
                .event("{\"type\":\"order\",\"data\":{\"n\":1}}")
                .event("{\"type\":\"order\",\"data\":{\"n\":2}}")
                .event("{\"type\":\"closed\"}")
                .gives("ship", "{\"ok\":true}");

        // When
        Result result = run("""
                do:
                  - hear:
                      listen: { to: { any: [{ with: { type: order } }], until: { any: [{ with: { type: closed } }] } } }
                      foreach:
                        item: order
                        at: i
                        do:
                          - pause: { wait: PT1S }
                          - ship: { call: http, with: { method: post, endpoint: 'http://host/', body: '${ $order }' } }
                        output: { as: '{ at: $i, n: $order.n, ok: .ok }' }
                        export: { as: '$context + { last: .n }' }
                """, "{}", world);

        // Then
        assertOutput("[{ at: 0, n: 1, ok: true }, { at: 1, n: 2, ok: true }]", result);
        assertEquals("2", result.state().context().get("last").display());
        assertEquals(List.of("hear", "pause", "ship", "pause", "ship"), result.begunTasks());
    }

    @Test
    void eventsAreCorrelated() {
        // Given
        World world = new World()
                .event("{\"type\":\"t\",\"room\":\"a\",\"data\":1}")
                .event("{\"type\":\"h\",\"room\":\"b\",\"data\":2}")
                .event("{\"type\":\"h\",\"room\":\"a\",\"data\":3}");

        // Then
        assertOutput("[1, 3]", run("""
                do:
                  - hear:
                      listen:
                        to:
                          all:
                            - { with: { type: t }, correlate: { room: { from: .room } } }
                            - { with: { type: h }, correlate: { room: { from: .room } } }
                """, "{}", world));
        assertOutput("[2]", run("""
                do:
                  - hear: { listen: { to: { one: { with: { type: h }, correlate: { r: { from: .room, expect: '${ .want }' } } } } } }
                """, "want: b", world));
    }

    // ---- extensions and functions

    @Test
    void extensionsRunAroundTasks() {
        // When
        Result result = run("""
                use:
                  extensions:
                    - log:
                        extend: call
                        when: $task.with.method == "get"
                        before: [{ say: { set: { about: '${ $task.name }' } } }, { pause: { wait: PT1S } }]
                        after: [{ said: { set: { done: true } } }]
                do:
                  - get: { call: http, with: { method: get, endpoint: 'http://host/{id}' } }
                  - post: { call: http, with: { method: post, endpoint: 'http://host/' } }
                """, "id: 5", new World().gives("get", "7").gives("post", "8"));

        // Then
        assertOutput("8", result);
        assertEquals(List.of("get", "say", "pause", "said", "post"), result.begunTasks());
        assertEquals(
                "http://host/5",
                ((ProcessEffect.Call) result.effects().getFirst())
                        .arguments()
                        .get("endpoint")
                        .display());
    }

    @Test
    void extensionThatExitsReplacesTheTask() {
        Result result = run("""
                use:
                  extensions:
                    - mock: { extend: call, before: [{ answer: { set: { mocked: true }, then: exit } }] }
                do:
                  - get: { call: http, with: { method: get, endpoint: 'http://host/' }, output: { as: '{ got: . }' } }
                """, "{}");

        assertOutput("got: { mocked: true }", result);
        assertEquals(List.of(), result.effects());
    }

    @Test
    void aFunctionIsCalledWithItsInput() {
        // When
        Result result = run("""
                use:
                  functions:
                    greet: { set: { text: '${ "Hello " + .name }' } }
                do:
                  - hello: { call: greet, with: { name: '${ .who }' }, then: end }
                  - never: { set: {} }
                """, "who: Ada");

        // Then
        assertOutput("text: Hello Ada", result);
        assertEquals(List.of("hello", "greet"), result.begunTasks());
    }

    @Test
    void startsTasksThatAreNotAwaitedAndContinues() {
        // Given
        var world = new World().gives("now", "{}");

        // Then
        assertOutput("id: 5", run("""
                do:
                  - child: { run: { workflow: { namespace: test, name: other, version: '1.0.0' }, await: false } }
                  - command: { run: { shell: { command: ls }, await: false, return: code } }
                """, "id: 5", world));
        assertEquals(
                List.of("workflow", "shell"),
                world.called.stream().map(ProcessEffect.Call::function).toList());
        assertEquals("code", world.called.getLast().arguments().get("return").display());
    }

    // ---- bounds

    @Test
    void endlessLoopYieldsAndIsEnded() {
        Result result = run("do: [{ a: { set: {}, then: b } }, { b: { set: {}, then: a } }]", "{}");

        assertTrue(fault(result).detail() != null && result.state().order() > ProcessDraft.MAX_TASKS);
        assertTrue(result.effects().stream()
                        .filter(ProcessEffect.Yield.class::isInstance)
                        .count()
                >= ProcessDraft.MAX_TASKS / ProcessDraft.MAX_STEPS);
    }

    @Test
    @Tag("W19")
    void failsIfTheContextExceedsItsLimit() {
        WorkflowError error = fault(run("""
                do:
                  - grow: { set: { text: '${ ($context.text // "x") * 10 }' }, export: { as: . }, then: again }
                  - again: { set: {}, then: grow }
                """, "{}"));

        assertTrue(String.valueOf(error.detail()).contains("1000000 characters and items"), error.toString());
    }

    @Test
    void endlessExpressionFailsItsTask() {
        WorkflowError error = fault(run("do: [{ a: { set: '${ [range(1000000000)] }' } }]", "{}"));

        assertEquals(WorkflowError.Standard.EXPRESSION.type(), error.type());
        assertEquals("/do/0/a", error.instance());
    }

    // ---- cancellation

    @Test
    void cancelStopsPendingQuestions() {
        // Given
        Workflow workflow = workflow("""
                do:
                  - all:
                      fork:
                        branches:
                          - ask: { ask: { prompt: 'Well?' } }
                          - get: { call: http, with: { method: get, endpoint: 'http://host/' } }
                          - nap: { wait: PT1M }
                          - hear: { listen: { to: { one: { with: { type: news } } } } }
                """);
        ProcessDecision started =
                ProcessMachine.start(workflow, new ProcessInput.Start("p", Values.EMPTY_OBJECT), at(0));
        ProcessEffect.Ask ask = effect(ProcessEffect.Ask.class, started);
        ProcessEffect.Call call = effect(ProcessEffect.Call.class, started);
        ProcessEffect.Listen listen = effect(ProcessEffect.Listen.class, started);

        // When
        ProcessDecision cancelled =
                ProcessMachine.decide(workflow, started.state(), new ProcessInput.Cancel("enough"), at(1));

        // Then
        assertEquals(Phase.CANCELLED, cancelled.state().phase());
        assertEquals(
                Set.of(
                        new ProcessEffect.CancelAsk(ask.order()),
                        new ProcessEffect.CancelCall(call.key()),
                        new ProcessEffect.CancelListen(listen.order())),
                Set.copyOf(cancelled.effects()));
        assertEquals(Optional.of(NOW.plusSeconds(60)), ProcessMachine.nextDue(started.state()));
        assertEquals(Optional.empty(), ProcessMachine.nextDue(cancelled.state()));
        for (ProcessInput input : List.of(
                new ProcessInput.Answer(ask.order(), Values.TRUE),
                new ProcessInput.Result(call.key(), Values.TRUE, null),
                new ProcessInput.Event(JsonText.read("{\"type\":\"news\"}")),
                new ProcessInput.Tick())) {
            ProcessDecision after = ProcessMachine.decide(workflow, cancelled.state(), input, at(90));
            assertEquals(cancelled.state(), after.state(), input.toString());
            assertEquals(List.of(), after.events(), input.toString());
            assertEquals(List.of(), after.effects(), input.toString());
        }
    }

    private static <E extends ProcessEffect> E effect(Class<E> type, ProcessDecision decision) {
        return decision.effects().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aSuspendedProcessBeginsNothing() {
        Workflow workflow = workflow("do: [{ ask: { ask: { prompt: 'Well?' } } }, { after: { set: { ok: true } } }]");
        ProcessState state = ProcessMachine.start(workflow, new ProcessInput.Start("p", Values.EMPTY_OBJECT), at(0))
                .state();

        state = ProcessMachine.decide(workflow, state, new ProcessInput.Suspend(), at(1))
                .state();
        assertEquals(Phase.SUSPENDED, state.phase());
        state = ProcessMachine.decide(workflow, state, new ProcessInput.Answer(1, Values.TRUE), at(2))
                .state();
        assertEquals(Phase.SUSPENDED, state.phase());
        state = ProcessMachine.decide(workflow, state, new ProcessInput.Resume(), at(3))
                .state();

        assertEquals(Phase.COMPLETED, state.phase());
    }

    private static EngineContext at(int seconds) {
        return new EngineContext(NOW.plusSeconds(seconds), "test");
    }

    // ---- Light-Fabric's dialect

    @Test
    void celExpressionsReadAndExportTheContext() {
        // When
        Result result = run(
                """
                evaluate: { language: cel }
                input:
                  schema:
                    document: { type: object, required: [customerId], properties: { channel: { type: string, default: portal } } }
                do:
                  - normalize:
                      set: { id: 'CLM-${ .customerId }', channel: '${ .channel }' }
                      export: { as: { claim: .output } }
                  - load:
                      call: http
                      with: { method: GET, endpoint: { uri: 'http://host/${ .claim.id }' } }
                      export: { as: { customer: .output } }
                  - check: { assert: { value: '${ .customer.status }', equals: active }, export: { as: { checked: .output } } }
                  - route:
                      switch:
                        - low: { when: .customer.risk < 30, then: approve }
                        - default: { then: review }
                  - review:
                      ask: { prompt: 'Well?', options: [{ value: YES }, { value: NO }] }
                      export: { as: { review: .output } }
                  - decide:
                      switch:
                        - no: { when: .review.value == NO, then: deny }
                        - default: { then: approve }
                  - deny: { set: { status: DENIED, id: '${ .claim.id }' }, end: true }
                  - approve: { set: { status: APPROVED, id: '${ .claim.id }', passed: '${ .checked.passed }' }, end: true }
                """,
                "customerId: C1",
                new World()
                        .gives("load", "{\"status\":\"active\",\"risk\":80}")
                        .answers("review", "{\"value\":\"YES\"}"));

        // Then
        assertOutput("{ status: APPROVED, id: CLM-C1, passed: true }", result);
        assertEquals("portal", result.state().context().get("channel").display());
    }

    @Test
    @Tag("W40")
    void invalidAgentOutputIsRetriedAndThenRouted() {
        // Given
        var world = new World().gives("ask", "{\"wrong\":1}");

        // When
        Result result = run("""
                evaluate: { language: cel }
                outputSchemas: { summary: { type: object, required: [text] } }
                do:
                  - ask:
                      call: agent
                      with: { agent: clerk, outputSchemaRef: summary, onInvalidOutput: { retry: 1, then: person } }
                  - fine: { set: { by: agent }, end: true }
                  - person: { set: { by: person } }
                """, "{}", world);

        // Then
        assertOutput("by: person", result);
        assertEquals(2, world.called.size());
    }

    @Test
    void failedAssertionNamesTheDifference() {
        WorkflowError error =
                fault(run("do: [{ check: { assert: { value: '${ .n }', equals: 3, message: three } } }]", "n: 4"));

        assertEquals("three: 4 is not equals 3", error.detail());
    }

    // ---- unanswered questions

    private static final String ESCALATED = """
            do:
              - check:
                  ask:
                    prompt: Well?
                    options: [YES, NO]
                    assignment: { roleId: member }
                    timeout: { after: PT1H }
                    onTimeout: { action: escalate, assignment: { roleId: owner }, onTimeout: { action: route, then: late } }
              - early: { set: { was: early }, then: end }
              - late: { set: { was: late } }
            """;

    @Test
    void unansweredQuestionIsEscalatedAndThenRouted() {
        // When
        Result result = run(ESCALATED, "{}");

        // Then
        assertOutput("was: late", result);
        assertEquals(NOW.plus(Duration.ofHours(2)), result.state().completedAt());
        var escalated = result.effects().stream()
                .filter(ProcessEffect.Escalate.class::isInstance)
                .map(ProcessEffect.Escalate.class::cast)
                .toList();
        assertEquals(1, escalated.size());
        assertEquals(
                "owner",
                escalated.getFirst().question().get("assignment").get("roleId").display());
        assertEquals(NOW.plus(Duration.ofHours(2)), escalated.getFirst().deadline());
    }

    // ---- repair

    private static final String PAYMENT = """
            timeout: { after: PT1H }
            do:
              - first: { set: { n: 1 } }
              - each:
                  for: { each: item, in: '[1, 2]' }
                  do:
                    - group:
                        timeout: { after: PT1M }
                        do:
                          - pay: { call: http, with: { method: post, endpoint: 'http://bank/' }, output: { as: '{ paid: . }' } }
                          - note: { set: { noted: '${ .paid }' } }
              - last: { set: { all: '${ .noted }' } }
            """;

    @Test
    void retryRepeatsTheFailedTaskWithTheSameIdempotencyKey() {
        // Given
        var world = new World().fails("pay", 500, 1);
        Result failed = run(PAYMENT, "{}", world);
        fault(failed);
        assertEquals("a person who retries or skips 'pay', which has failed", failed.next());

        // When
        Result repaired = repair(failed, new ProcessInput.Retry(null), world);

        // Then
        assertOutput("all: fine", repaired);
        assertEquals(
                List.of("group", "pay", "note", "group", "pay", "note", "last"),
                repaired.begunTasks().subList(1, 8));
        assertEquals(3, world.called.size());
        assertEquals(world.called.get(0).idempotencyKey(), world.called.get(1).idempotencyKey());
        assertEquals(
                List.of("pay", "note", "group", "pay", "note", "group", "each", "last"), repaired.completedTasks());
    }

    @Test
    void retryCanRepeatAnEnclosingTask() {
        var world = new World().fails("pay", 500, 1);
        Result failed = run(PAYMENT, "{}", world);

        Result repaired = repair(failed, new ProcessInput.Retry("each"), world);

        assertOutput("all: fine", repaired);
        assertEquals("each", repaired.begunTasks().getFirst());
    }

    @Test
    void skipReplacesTheOutputOfTheFailedTask() {
        // Given
        var world = new World().fails("pay", 500, 1);
        Result failed = run(PAYMENT, "{}", world);

        // When
        Result repaired = repair(failed, new ProcessInput.Skip(null, Json.of("by hand")), world);

        // Then
        assertOutput("all: fine", repaired);
        var noted = repaired.changes()
                .filter(change -> change.name().equals("note") && change.phase() == Phase.COMPLETED)
                .map(change -> change.output().toString())
                .toList();
        assertEquals(List.of("{\"noted\":\"by hand\"}", "{\"noted\":\"fine\"}"), noted);
    }

    @Test
    void skipsATaskThatWaitsForACall() {
        // Given
        Result waits = run("do: [{ call: { call: http, with: { method: get, endpoint: 'http://x/' } } }]", "{}");
        assertEquals(Phase.RUNNING, waits.state().phase());

        // When
        Result repaired = Simulation.goOn(
                workflow("do: [{ call: { call: http, with: { method: get, endpoint: 'http://x/' } } }]"),
                waits.state(),
                new ProcessInput.Skip("call", Json.of(7)),
                new World(),
                NOW);

        // Then
        assertOutput("7", repaired);
        assertEquals(List.of("call"), repaired.enteredTasks(Phase.CANCELLED));
        assertTrue(repaired.effects().stream().anyMatch(ProcessEffect.CancelCall.class::isInstance));
    }

    @Test
    void ignoresRepairsOfOtherTasksAndEndedProcesses() {
        Result failed = run(PAYMENT, "{}", new World().fails("pay", 500, 1));

        for (var repair : List.of(new ProcessInput.Retry("last"), new ProcessInput.Skip("nope", null))) {
            assertEquals(failed.state(), repair(failed, repair, new World()).state());
        }
        Result completed = run("do: [{ one: { set: { n: 1 } } }]", "{}");
        assertEquals(
                completed.state(),
                repair(completed, new ProcessInput.Retry(null), new World()).state());
    }

    @Test
    void repairRestartsTheTimeouts() {
        var world = new World().fails("pay", 500, 1);
        Result failed = run(PAYMENT, "{}", world);
        Instant repairTime = NOW.plus(Duration.ofDays(1));

        Result repaired = Simulation.goOn(
                workflow(PAYMENT), failed.state(), new ProcessInput.Retry(null), new World(), repairTime);

        assertEquals(repairTime.plus(Duration.ofMinutes(1)), repaired.state().completedAt(), "nobody answers in time");
        assertEquals(List.of("group", "each"), repaired.enteredTasks(Phase.FAULTED));
    }

    private static Result repair(Result failed, ProcessInput.Repair repair, World world) {
        return Simulation.goOn(workflow(PAYMENT), failed.state(), repair, world, NOW);
    }

    /** Retries and skips repair failed random processes until they complete. */
    @Test
    void randomProcessesCompleteAfterRepairs() {
        int repairs = 0;
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            Workflow workflow = workflow("do:\n" + tasks(random, 2, 0));
            World world = unreliable(random);
            Result result =
                    Simulation.run(workflow, YamlText.of("{ items: [1] }").value(), world, NOW);
            for (int i = 0; i < 1_000 && result.state().phase() == Phase.FAULTED; i++) {
                boolean skip = random.nextBoolean();
                result = Simulation.goOn(
                        workflow,
                        result.state(),
                        skip ? new ProcessInput.Skip(null, null) : new ProcessInput.Retry(null),
                        world,
                        NOW);
                repairs++;
            }
            assertEquals(Phase.COMPLETED, result.state().phase(), "seed " + seed + ": " + result.next());
        }
        assertTrue(repairs > 200, repairs + " were repaired");
    }

    private static final Map<Phase, Set<Phase>> LEGAL = Map.of(
            Phase.PENDING, Set.of(Phase.RUNNING, Phase.WAITING, Phase.COMPLETED, Phase.FAULTED),
            Phase.RUNNING, Set.of(Phase.WAITING, Phase.SUSPENDED, Phase.CANCELLED, Phase.FAULTED, Phase.COMPLETED),
            Phase.WAITING, Set.of(Phase.RUNNING, Phase.SUSPENDED, Phase.CANCELLED, Phase.FAULTED, Phase.COMPLETED),
            Phase.SUSPENDED, Set.of(Phase.RUNNING, Phase.WAITING, Phase.CANCELLED, Phase.FAULTED, Phase.COMPLETED),
            Phase.FAULTED, Set.of(Phase.RUNNING, Phase.WAITING, Phase.COMPLETED),
            Phase.COMPLETED, Set.of(),
            Phase.CANCELLED, Set.of());

    /** Random inputs in random order cause legal phase transitions only. */
    @Test
    @Tag("W11")
    void phaseTransitionsAreLegalInRandomRuns() {
        var transitions = new HashSet<String>();
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            Workflow workflow = workflow("do:\n" + tasks(random, 2, 0));
            Instant now = NOW;
            ProcessState state = ProcessMachine.start(
                            workflow,
                            new ProcessInput.Start("p", YamlText.of("{}").value()),
                            new EngineContext(now, "t"))
                    .state();
            for (int i = 0; i < 60; i++) {
                now = now.plusMillis(random.nextInt(1_500));
                ProcessDecision decisions =
                        ProcessMachine.decide(workflow, state, randomInput(random, state), new EngineContext(now, "t"));
                Phase before = state.phase();
                Phase after = decisions.state().phase();
                assertTrue(before == after || LEGAL.get(before).contains(after), () -> before + " to " + after);
                assertEquals(after.isFinal(), decisions.state().completedAt() != null);
                transitions.add(before + " " + after);
                state = StateJson.read(StateJson.write(decisions.state()));
            }
        }
        assertTrue(transitions.size() > 15, transitions.toString());
    }

    private static ProcessInput randomInput(Random random, ProcessState state) {
        String key = state.id() + ":" + (1 + random.nextInt((int) state.order() + 1));
        return switch (random.nextInt(24)) {
            case 0 -> new ProcessInput.Suspend();
            case 1, 2, 3 -> new ProcessInput.Resume();
            case 4 -> random.nextInt(5) == 0 ? new ProcessInput.Cancel("no more") : new ProcessInput.Tick();
            case 5 -> new ProcessInput.Retry(null);
            case 6 -> new ProcessInput.Skip(null, null);
            case 7, 8, 9, 10, 11, 12 -> new ProcessInput.Result(key, Json.of(1), null);
            case 13 -> new ProcessInput.Result(key, Values.NULL, WorkflowError.Standard.RUNTIME.error("no", ""));
            default -> new ProcessInput.Tick();
        };
    }

    // ---- random processes

    /** In random processes each task starts once and ends once, and every process ends. */
    @Test
    void taskLifecyclesAreValidInRandomRuns() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            String body = "do:\n" + tasks(random, 2, 0);
            World world = unreliable(random);

            Result result = run(body, "{ items: [1, 2, 3] }", world);

            assertTrue(result.state().phase().isFinal(), "seed " + seed + ": " + result.next() + "\n" + body);
            assertLifecycles(result, "seed " + seed + "\n" + body);
        }
    }

    /** One call of four fails. */
    private static World unreliable(Random random) {
        return new World() {
            @Override
            public Optional<Answer> call(ProcessEffect.Call call) {
                return random.nextInt(4) == 0
                        ? Optional.of(new Answer(Values.NULL, WorkflowError.Standard.RUNTIME.error("no", "")))
                        : Optional.of(new Answer(Json.of(random.nextInt()), null));
            }
        };
    }

    /** Each task ends once, and no other has its path and attempt. */
    private static void assertLifecycles(Result result, String description) {
        var runs = new HashMap<String, Long>();
        result.changes().forEach(change -> {
            long first = runs.computeIfAbsent(change.path() + " " + change.attempt(), _ -> change.order());
            assertTrue(first == change.order(), () -> change + " has the path of another one, " + description);
        });
        var finalPhases = new HashMap<Long, Phase>();
        var started = new ArrayList<Long>();
        result.changes().forEach(change -> {
            assertFalse(finalPhases.containsKey(change.order()), () -> change + " after its end, " + description);
            if (change.phase().isFinal()) {
                finalPhases.put(change.order(), change.phase());
            } else if (!started.contains(change.order())) {
                started.add(change.order());
            }
        });
        started.removeAll(finalPhases.keySet());
        assertEquals(List.of(), started, () -> "tasks without an end, " + description);
    }

    private static String tasks(Random random, int indent, int depth) {
        var text = new StringBuilder();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            String pad = " ".repeat(indent);
            text.append(pad).append("- t").append(i).append(":\n");
            String in = pad + "    ";
            switch (depth > 2 ? random.nextInt(4) : random.nextInt(9)) {
                case 0 -> text.append(in).append("set: { n: 1 }\n");
                case 1 ->
                    text.append(in)
                            .append("call: http\n")
                            .append(in)
                            .append("with: { method: get, endpoint: 'http://h/' }\n");
                case 2 -> text.append(in).append("wait: PT1S\n");
                case 3 -> text.append(in).append("raise: { error: { type: 'https://x', status: 400 } }\n");
                case 4 ->
                    text.append(in)
                            .append(random.nextBoolean() ? "" : "retry: { limit: { attempt: { count: 1 } } }\n" + in)
                            .append("do:\n")
                            .append(tasks(random, indent + 6, depth + 1));
                case 5 ->
                    text.append(in)
                            .append("for: { in: '[1, 2]' }\n")
                            .append(in)
                            .append("do:\n")
                            .append(tasks(random, indent + 6, depth + 1));
                case 6 ->
                    text.append(in)
                            .append("fork:\n")
                            .append(in)
                            .append("  compete: ")
                            .append(random.nextBoolean())
                            .append('\n')
                            .append(in)
                            .append("  branches:\n")
                            .append(tasks(random, indent + 8, depth + 1));
                case 7 ->
                    text.append(in)
                            .append("try:\n")
                            .append(tasks(random, indent + 6, depth + 1))
                            .append(in)
                            .append("catch: { retry: { delay: PT1S, limit: { attempt: { count: 2 } } } }\n");
                default ->
                    text.append(in)
                            .append("try:\n")
                            .append(tasks(random, indent + 6, depth + 1))
                            .append(in)
                            .append("catch: { do: [{ handled: { set: {} } }] }\n");
            }
        }
        return text.toString();
    }
}
