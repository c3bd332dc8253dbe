package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.database.Databases;
import dev.parley.server.Api.Answer;
import dev.parley.server.CallLedger.Held;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * The processes of deploy/compose, with its roles and its environment, each of which is killed during turns. With
 * {@code -Dparley.crash.minutes=1} or more each role is a process, and a bank retains 10,000 notes
 * ({@code -Dparley.crash.notes}) meanwhile.
 */
@EnabledIfSystemProperty(
        named = "parley.crash.minutes",
        matches = "\\d+",
        disabledReason = "minutes of both processors: by command, see docs/runtime.md")
class RoleSplitIT {
    private static final boolean LONG = Long.getLong("parley.crash.minutes", 0) > 0;
    private static final int NOTES = Integer.getInteger("parley.crash.notes", LONG ? 10_000 : 150);
    private static final int GIVEN_AT_ONCE = 8;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration LEARNED = Duration.ofMinutes(LONG ? 30 : 6);
    private static final Path COMPOSE = Path.of("../../deploy/compose/compose.yaml");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::[-?]([^}]*))?}");
    private static final String FILES = "/v1/projects/default/files";

    @TempDir
    static Path folder;

    private static CallLedger ledger;
    private static Servers servers;
    private static Cluster cluster;
    /** The process of each role. */
    private static final Map<String, String> PROCESSES = new HashMap<>();

    @BeforeAll
    static void start() throws IOException {
        ledger = new CallLedger();
        Path key = Files.writeString(folder.resolve("key"), "sk-test");
        Files.writeString(folder.resolve("parley.yml"), ledger.settings(key) + """
              - { tool: memory_retain, action: allow }
              - { tool: memory_recall, action: allow }
            agents:
              - name: default
                model: openai/gpt-5
              - name: everything
                model: scripted/scripted
                options: { memory: agent }
              - { name: helper, model: scripted/scripted, description: Helps., mode: subagent }
            """);
        servers = new Servers(folder, Map.of("broker.session.timeout.ms", "18000"));
        cluster = new Cluster(folder);
        startAll(groups());
        ledger.define(api("control"));
    }

    /** The roles of each process that compose starts, or a process for each of them. */
    private static Map<String, List<String>> groups() throws IOException {
        var groups = new LinkedHashMap<String, List<String>>();
        composed().forEach((name, service) -> {
            List<String> roles = roles(command(service));
            if (LONG) {
                roles.forEach(role -> groups.put(role, List.of(role)));
            } else {
                groups.put(name, roles);
            }
        });
        return groups;
    }

    /** The Parley services of compose. */
    private static Map<String, Map<String, Object>> composed() throws IOException {
        Map<String, Map<String, Map<String, Object>>> compose = new Yaml().load(Files.readString(COMPOSE));
        var services = new LinkedHashMap<>(compose.get("services"));
        services.values().removeIf(service -> !service.containsKey("build"));
        return services;
    }

    @SuppressWarnings("unchecked")
    private static List<String> command(Map<String, Object> service) {
        return (List<String>) service.get("command");
    }

    private static List<String> roles(List<String> command) {
        String option = "--roles=";
        return command.stream()
                .filter(argument -> argument.startsWith(option))
                .flatMap(argument ->
                        Arrays.stream(argument.substring(option.length()).split(",")))
                .toList();
    }

    private static void startAll(Map<String, List<String>> groups) throws IOException {
        Map<String, Object> service = composed().values().iterator().next();
        var starts = new ArrayList<Runnable>();
        for (var group : groups.entrySet()) {
            group.getValue().forEach(role -> PROCESSES.put(role, group.getKey()));
            var environment = environment(composed().getOrDefault(group.getKey(), service), group.getKey());
            List<String> command = List.of("run", "--roles=" + String.join(",", group.getValue()));
            starts.add(() -> cluster.start(group.getKey(), environment, command));
        }
        Cluster.together(starts);
    }

    /** The environment that compose gives a process, without values that hold only in containers. */
    private static Map<String, String> environment(Map<String, Object> service, String name) {
        Map<String, String> local = servers.environment(name, 8);
        var variables = Map.of(
                "PARLEY_ADMIN_KEY",
                Servers.KEY,
                "PARLEY_MASTER_KEY",
                Servers.MASTER_KEY,
                "PARLEY_INSTALLATION_KEY",
                Servers.INSTALLATION_KEY,
                "POSTGRES_PASSWORD",
                local.get("PARLEY_POSTGRES_PASSWORD"),
                "POSTGRES_APP_PASSWORD",
                local.get("PARLEY_POSTGRES_APP_PASSWORD"));
        var environment = new HashMap<String, String>();
        ((Map<?, ?>) service.get("environment"))
                .forEach((key, value) -> environment.put(key.toString(), filled(value.toString(), variables)));
        for (String variable : List.of(
                "KAFKA", "POSTGRES", "POSTGRES_USER", "POSTGRES_APP_USER", "BLOBS", "CONFIG", "DRAIN", "INSTANCE")) {
            environment.put("PARLEY_" + variable, local.get("PARLEY_" + variable));
        }
        environment.put("PARLEY_BIND", "127.0.0.1");
        return environment;
    }

    private static String filled(String value, Map<String, String> variables) {
        return VARIABLE.matcher(value)
                .replaceAll((MatchResult variable) -> Matcher.quoteReplacement(
                        variables.getOrDefault(variable.group(1), variable.group(2) == null ? "" : variable.group(2))));
    }

    @AfterAll
    static void stop() {
        cluster.close();
        servers.close();
        ledger.close();
    }

    /** The API of the process that has a role. */
    private static Api api(String role) {
        return cluster.api(PROCESSES.get(role));
    }

    private static String kill(String role) {
        String name = PROCESSES.get(role);
        cluster.process(name).kill();
        return name;
    }

    // ---- turns of all kinds

    private static String everything(String name) {
        return """
            !call again {"turn":"answer %1$s"}
            !then
            !call file_write {"path":"/%1$s.md","content":"of %1$s"}
            !call memory_retain {"text":"%1$s keeps bees in Ghent."}
            !then
            !delegate helper !say helped
            !then
            !say all done with %1$s\
            """.formatted(name);
    }

    private static String submit(String agent, String session, String text) {
        Api.Answer answer = api("channels")
                .post(
                        "/v1/sessions/" + session + "/turns",
                        Map.of("text", text, "agent", agent),
                        Map.of("Idempotency-Key", session));
        assertEquals(202, answer.status(), answer.text());
        return answer.json().path("id").asText();
    }

    /** Waits for the approval of the turn's file write. */
    private static JsonNode awaitApproval(String session) {
        return Awaitility.await().atMost(SOON).until(() -> approval(session), found -> !found.isMissingNode());
    }

    private static JsonNode approval(String session) {
        Api.Answer answer = api("sessions").get("/v1/approvals?session=" + session);
        assertEquals(200, answer.status(), answer.text());
        return answer.json().path("data").path(0);
    }

    private static void approve(String session, JsonNode question) {
        Api.Answer answer = api("channels")
                .post(
                        "/v1/sessions/" + session + "/approvals/"
                                + question.path("id").asText(),
                        Map.of("answer", "once"));
        assertTrue(answer.status() < 300, answer.status() + " " + answer.text());
    }

    private static JsonNode awaitEnd(String turn) {
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api("sessions").get("/v1/turns/" + turn).json(),
                        found -> List.of("COMPLETED", "FAILED", "CANCELLED")
                                .contains(found.path("state").asText()));
    }

    private static void assertEverythingWasDoneOnce(String name, String session, String turn) {
        JsonNode completed = awaitEnd(turn);
        assertEquals("all done with " + name, completed.path("reply").asText(), completed.toString());
        assertEquals(
                1, api("sessions").list("/v1/sessions/" + session + "/turns").size());
        String path = "/" + name + ".md";
        assertEquals(
                "of " + name, api("tools").get(FILES + "/content?path=" + path).text());
        assertEquals(1, api("tools").list(FILES + "/versions?path=" + path).size());
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(
                        1,
                        replies(session).stream()
                                .filter(("all done with " + name)::equals)
                                .count()));
        String recall = "!call memory_recall {\"query\":\"%s bees Ghent\"}".formatted(name);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> awaitEnd(submit("everything", session + "-" + System.nanoTime(), recall))
                        .path("reply")
                        .asText()
                        .contains(name + " keeps bees"));
    }

    private static List<String> replies(String session) {
        return api("sessions").list("/v1/sessions/" + session + "/messages?role=assistant").stream()
                .flatMap(message -> message.path("parts").findValuesAsText("text").stream())
                .toList();
    }

    // ---- calls that must not be repeated

    /** A call of unknown outcome is reported to the model, waits for a person, and is not repeated. */
    private static void assertWaitsForAPersonAndIsNotMadeAgain(String session, String turn, String outcome) {
        String text = "answer " + session;
        JsonNode completed = awaitEnd(turn);
        assertEquals(text, completed.path("reply").asText(), completed.toString());
        String calls = "/v1/projects/default/tool-calls";
        JsonNode call = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api("tools").list(calls + "?state=unknown").stream()
                                .filter(row -> row.path("turnId").asText().equals(turn))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        assertEquals(CallLedger.ONCE, call.path("tool").asText());
        assertTrue(call.path("result").asText().contains("outcome unknown"), call.toString());
        String id = call.path("id").asText();
        String decide = calls + "/" + id + "/decide";
        Awaitility.await().atMost(SOON).until(() -> outcomesToFind(id).size() == 1);
        if (outcome.equals("happened")) {
            assertEquals(
                    200, api("tools").post(decide, Map.of("outcome", outcome)).status());
        } else {
            Answer answered = api("workflows")
                    .post("/v1/tasks/" + id + "/complete", Map.of("value", outcome, "comment", "looked it up"));
            assertEquals(200, answered.status(), answered.text());
            assertEquals(outcome, answered.json().path("result").asText());
        }
        Answer repeated = api("tools").post(decide, Map.of("outcome", outcome));
        assertEquals("already_decided", repeated.code(), repeated.text());
        Awaitility.await().atMost(SOON).until(() -> outcomesToFind(id).isEmpty());
        JsonNode next = awaitEnd(submitMore(session));
        assertEquals("answer more-" + session, next.path("reply").asText(), next.toString());
        assertEquals(1, ledger.count(CallLedger.ONCE, text));
        assertEquals(1, ledger.count(CallLedger.ONCE, "answer more-" + session));
    }

    /** The tasks in which project leaders resolve a call of unknown outcome. */
    private static List<JsonNode> outcomesToFind(String call) {
        return api("workflows").list("/v1/worklists/role:leader/outcome/tasks").stream()
                .filter(task -> task.path("callId").asText().equals(call))
                .toList();
    }

    private static String submitMore(String session) {
        return api("channels")
                .post(
                        "/v1/sessions/" + session + "/turns",
                        Map.of("text", "answer more-" + session),
                        Map.of("Idempotency-Key", "more"))
                .json()
                .path("id")
                .asText();
    }

    // ---- memory

    private static List<String> notes() {
        return IntStream.range(0, NOTES)
                .mapToObj(i -> SteadyLoad.name("Ba", i) + " lives in " + SteadyLoad.name("Ve", i) + ".")
                .sorted()
                .toList();
    }

    /** Retains notes in a bank, each until it is accepted. */
    private static void retain(String bank, List<String> notes) {
        try (var clients =
                Executors.newFixedThreadPool(GIVEN_AT_ONCE, Thread.ofVirtual().factory())) {
            notes.forEach(note -> clients.execute(() -> retain(bank, note)));
        }
    }

    private static void retain(String bank, String note) {
        Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .atMost(LEARNED)
                .ignoreExceptions() // a restarting process has no address
                .until(() -> {
                    try {
                        return api("memory")
                                        .post(
                                                bank + "/docs",
                                                Map.of("id", note, "text", note),
                                                Map.of("Idempotency-Key", note))
                                        .status()
                                == 202;
                    } catch (AssertionError e) { // the process does not listen
                        return false;
                    }
                });
    }

    private static void assertEachIsKnownOnceAndByItsMeaning(String bank, List<String> notes) {
        Awaitility.await()
                .atMost(LEARNED)
                .until(() -> api("memory")
                                .get(bank + "?fresh=true")
                                .json()
                                .at("/counts/waiting")
                                .asInt(-1)
                        == 0);
        Awaitility.await().atMost(LEARNED).untilAsserted(() -> assertEquals(notes, facts(bank)));
        Awaitility.await().atMost(LEARNED).until(() -> withoutVector(bank) == 0);
    }

    /** The number of facts of a bank without a vector. */
    private static long withoutVector(String bank) throws SQLException {
        String id = bank.substring(bank.lastIndexOf('/') + 1);
        try (Connection connection = Databases.single(servers.database().app()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'; SET app.project = '*'");
            try (ResultSet row = statement.executeQuery(
                    "SELECT count(*) FROM memory.agent_memory_unit_t WHERE fact_type = 'world' AND embedding IS NULL AND bank_id = '%s'"
                            .formatted(id))) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static List<String> facts(String bank) {
        return api("memory").all(bank + "/units?type=world&fresh=true&limit=100").stream()
                .map(unit -> unit.path("text").asText())
                .sorted()
                .toList();
    }

    // ---- kills

    @Test
    @Tag("P14")
    @Tag("I68")
    @Tag("M34")
    void killingARoleEndsEachTurnOnceAndLearnsEachNoteOnce() throws InterruptedException {
        // Given turns with an open outside call, and a bank that retains notes
        String bank = "/v1/banks/"
                + api("memory")
                        .post("/v1/banks", Map.of("scope", "agent", "agent", "default"))
                        .json()
                        .path("id")
                        .asText();
        List<String> notes = notes();
        Thread retaining = Thread.startVirtualThread(() -> retain(bank, notes));
        Held repeatable = ledger.hold(CallLedger.AGAIN, "answer Bruno");
        Held happened = ledger.hold(CallLedger.ONCE, "answer once-1");
        Held notHappened = ledger.hold(CallLedger.ONCE, "answer once-2");
        String everything = submit("everything", "all-1", everything("Bruno"));
        String firstTurn = submit("default", "once-1", "answer once-1");
        String secondTurn = submit("default", "once-2", "answer once-2");
        List.of(repeatable, happened, notHappened).forEach(held -> held.awaitCall(SOON));

        // When
        cluster.startAgain(kill("tools"));
        List.of(repeatable, happened, notHappened).forEach(Held::letGo);
        JsonNode question = awaitApproval("all-1");
        cluster.startAgain(kill("channels"));
        approve("all-1", question);

        // Then
        assertEverythingWasDoneOnce("Bruno", "all-1", everything);
        assertEquals(2, ledger.count(CallLedger.AGAIN, "answer Bruno"), "it was made again after the kill");
        assertWaitsForAPersonAndIsNotMadeAgain("once-1", firstTurn, "happened");
        assertWaitsForAPersonAndIsNotMadeAgain("once-2", secondTurn, "did_not_happen");
        if (LONG) {
            List<String> names = List.of("Carla", "Dmitri", "Eva", "Farid", "Greta");
            List<String> roles = List.of("agents", "models", "memory", "sessions", "control");
            for (int i = 0; i < roles.size(); i++) {
                assertEndsOnceWhereIsKilled(roles.get(i), names.get(i));
            }
        }
        assertTrue(retaining.join(LEARNED));
        Instant start = Instant.now();
        assertEachIsKnownOnceAndByItsMeaning(bank, notes);
        System.out.printf(
                "role split: %d notes, learned %s after the rest was done; %d calls outside%n",
                notes.size(),
                Duration.between(start, Instant.now()),
                ledger.calls().size());
    }

    private static void assertEndsOnceWhereIsKilled(String role, String name) {
        String session = "all-" + role;
        Held repeatable = ledger.hold(CallLedger.AGAIN, "answer " + name);
        String turn = submit("everything", session, everything(name));
        repeatable.awaitCall(SOON);
        cluster.startAgain(kill(role));
        repeatable.letGo();
        approve(session, awaitApproval(session));
        assertEverythingWasDoneOnce(name, session, turn);
        System.out.printf("role split: ended once after %s was killed%n", role);
    }
}
