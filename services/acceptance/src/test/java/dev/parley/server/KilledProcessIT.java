package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Turns of a process that is killed or stopped. */
class KilledProcessIT {
    private static final List<String> NOTES = List.of(
            "Alice feeds the zebra.",
            "Bob repairs bicycles in Bergen.",
            "Carla plays the cello.",
            "Dmitri sold his boat.",
            "Eva grows tomatoes.",
            "Farid moved to Lisbon.",
            "Greta studies law.");

    @TempDir
    Path folder;

    @Test
    @Tag("O12")
    void stoppingProcessIsUnreadyFirstAndStillAnswers() throws Exception {
        try (ParleyProcess process = ParleyProcess.start(folder.resolve("data"), Map.of("PARLEY_DRAIN", "4"));
                var people = Executors.newVirtualThreadPerTaskExecutor()) {
            // Given
            Api api = process.api();
            api.say("stop:warm", "hello");
            assertEquals(200, api.get("/health/ready").status());
            Future<JsonNode> running = people.submit(() -> api.say("stop:running", "!delay 1s\n!say in time"));

            // When
            process.terminate();

            // Then
            Awaitility.await()
                    .atMost(Duration.ofSeconds(2))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> api.get("/health/ready").status() == 503);
            assertEquals(
                    "it stops",
                    api.get("/health/ready").json().at("/parts/process/problem").asText());
            assertEquals(
                    "still here",
                    api.say("stop:late", "!say still here").path("reply").asText());
            assertEquals("in time", running.get().path("reply").asText());
            assertEquals(200, api.get("/health/live").status());
            assertEquals(143, process.ended(Duration.ofSeconds(30)));
        }
    }

    @Test
    @Tag("P14")
    @Tag("I68")
    @Tag("M34")
    void turnsAndRetainsContinueOnceAfterAKill() {
        Path data = folder.resolve("data");
        var accepted = new ArrayList<String>();
        String bank;
        try (ParleyProcess first = ParleyProcess.start(data)) {
            // Given
            Api api = first.api();
            api.say("kill:memory", "my name is Ann");
            bank = "/v1/banks/"
                    + api.post("/v1/banks", Map.of("scope", "agent", "agent", "default"))
                            .json()
                            .path("id")
                            .asText();
            for (int i = 0; i < 60; i++) {
                String text = i % 3 == 0
                        ? "!delay 2s\n!say late"
                        : "!call echo {\"text\":\"x\"}\n!then\n!delay 1s\n!say tool";
                var answer = api.submit("kill:" + i % 20, text, "k" + i);
                if (answer.status() == 202) {
                    accepted.add(answer.json().get("id").asText());
                }
            }
            retain(api, bank, NOTES);

            // When
            first.kill();
        }
        try (ParleyProcess second = ParleyProcess.start(data)) {
            Api api = second.api();

            // Then
            assertEquals(60, accepted.size());
            retain(api, bank, NOTES.subList(0, 2)); // the others were accepted, and are known all the same
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> accepted.stream()
                            .allMatch(id -> api.get("/v1/turns/" + id)
                                    .json()
                                    .path("state")
                                    .asText()
                                    .equals("COMPLETED")));
            for (int i = 0; i < 20; i++) {
                assertDense(api.list("/v1/sessions/kill:" + i + "/turns"), 3);
            }
            assertTrue(api.say("kill:memory", "what is my name?")
                    .get("reply")
                    .asText()
                    .contains("Ann"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(
                            () -> api.get(bank + "?fresh=true").json().path("counts"),
                            counts -> counts.path("documents").asInt() == NOTES.size()
                                    && counts.path("waiting").asInt(-1) == 0);
            assertEquals(
                    NOTES,
                    api.list(bank + "/units?type=world&fresh=true").stream()
                            .map(unit -> unit.path("text").asText())
                            .sorted()
                            .toList(),
                    "each is known, and known once");
            assertEquals(NOTES.size(), api.list(bank + "/docs").size());
        }
    }

    /** Retains notes in a bank, each under its key. */
    private static void retain(Api api, String bank, List<String> notes) {
        notes.forEach(note -> assertEquals(
                202,
                api.post(bank + "/docs", Map.of("id", note, "text", note), Map.of("Idempotency-Key", note))
                        .status()));
    }

    @Test
    @Tag("P56")
    void acceptedTurnsCompleteAfterAStop() {
        Path data = folder.resolve("data");
        var accepted = new CopyOnWriteArrayList<String>();
        try (ParleyProcess first = ParleyProcess.start(data)) {
            // Given
            Api api = first.api();
            var load = CompletableFuture.runAsync(() -> submitUntilRefused(api, accepted));
            Awaitility.await().until(() -> accepted.size() > 40);

            // When
            first.stop();
            load.join();
        }
        try (ParleyProcess second = ParleyProcess.start(data)) {
            Api api = second.api();

            // Then
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> accepted.stream()
                            .allMatch(id -> api.get("/v1/turns/" + id)
                                    .json()
                                    .path("state")
                                    .asText()
                                    .equals("COMPLETED")));
        }
    }

    @Test
    @Tag("K19")
    void outOfMemoryEndsTheProcessAndTheTurnResumes() throws IOException {
        Path data = folder.resolve("data");
        Path config =
                Files.writeString(folder.resolve("parley.yml"), "permissions:\n  - { tool: huge, action: allow }\n");
        var withTheTool = Map.of(
                "JAVA_TOOL_OPTIONS",
                "-D" + HugeTool.MARKER + "=" + folder.resolve("first-time"),
                "PARLEY_CONFIG",
                config.toString());
        String turn;
        try (ParleyProcess first = ParleyProcess.start(data, withTheTool)) {
            // When
            turn = first.api()
                    .submit("memory:a", "!call huge {}\n!then\n!say done", "m1")
                    .json()
                    .get("id")
                    .asText();

            // Then
            assertEquals(3, first.ended(Duration.ofSeconds(60))); // what -XX:+ExitOnOutOfMemoryError ends with
        }
        try (ParleyProcess second = ParleyProcess.start(data, withTheTool)) {
            Api api = second.api();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> api.get("/v1/turns/" + turn)
                            .json()
                            .path("state")
                            .asText()
                            .equals("COMPLETED"));
            assertEquals(
                    "done", api.get("/v1/turns/" + turn).json().get("reply").asText());
            assertDense(api.list("/v1/sessions/memory:a/turns"), 1);
        }
    }

    private static void submitUntilRefused(Api api, List<String> accepted) {
        for (int i = 0; i < 600; i++) {
            try {
                String text = i % 3 == 0 ? "!delay 1s\n!say late" : "!call echo {\"text\":\"x\"}\n!then\n!say tool";
                var answer = api.submit("stop:" + i % 50, text, "s" + i);
                if (answer.status() == 202) {
                    accepted.add(answer.json().get("id").asText());
                }
            } catch (AssertionError e) { // nobody listens any more
                return;
            }
        }
    }

    private static void assertDense(List<JsonNode> turns, int count) {
        var seqs = turns.stream().map(turn -> turn.get("seq").asInt()).collect(Collectors.toSet());
        assertEquals(count, turns.size());
        assertEquals(new HashSet<>(IntStream.rangeClosed(1, count).boxed().toList()), seqs);
    }
}
