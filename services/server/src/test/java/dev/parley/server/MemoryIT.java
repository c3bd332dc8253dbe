package dev.parley.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people say is remembered over sessions, theirs alone, in a whole process with no language model. */
class MemoryIT {
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    @TempDir
    static Path folder;

    private static Instance instance;
    private static Api admin;
    private static Api ann;
    private static Api bob;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
                agents:
                  - { name: default, options: { memory: user } }
                  - { name: plain }
                permissions:
                  - { tool: memory_forget, action: allow }
                """);
        instance = Instance.start(ConfigReader.read(Map.of(
                "PARLEY_DATA", folder.resolve("data").toString(),
                "PARLEY_CONFIG", folder.resolve("parley.yml").toString(),
                "PARLEY_PORT", "0")));
        admin = new Api(instance.url(), instance.adminKey());
        somebody("boss"); // the first one is administrator
        ann = somebody("ann");
        bob = somebody("bob");
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    private static Api somebody(String name) {
        var who = Map.of("username", name, "password", "a long password of " + name);
        assertEquals(201, admin.post("/v1/auth/register", who).status());
        return new Api(
                instance.url(),
                admin.post("/v1/auth/login", who).json().path("token").asText());
    }

    private static String said(Api who, String session, String text) {
        return who.say(session, text).path("reply").asText();
    }

    @Test
    @Tag("M1")
    @Tag("P59")
    void whatSomebodySaysIsKnownInTheirOtherSessionsAndToNobodyElse() {
        said(ann, "web:a1", "Hello! my name is Ada Lovelace.");

        assertTrue(said(ann, "web:a2", "what is my name?").contains("Ada Lovelace"));
        assertFalse(said(bob, "web:b1", "what is my name?").contains("Ada"));
    }

    @Test
    @Tag("M7")
    @Tag("M30")
    void itIsFoundByTheToolInOtherWordsAndIsGoneWhenItIsForgotten() {
        said(ann, "web:f1", "I adopted a greyhound called Blitz in March 2026.");
        String call = "!call memory_recall {\"query\":\"which pet does Ann have?\"}";
        await().atMost(Duration.ofSeconds(20))
                .until(() -> said(ann, "web:f2", call).contains("\"kind\":\"unit\""));
        String thought = said(
                ann, "web:f4", "!call memory_reflect {\"question\":\"What is the greyhound that I adopted called?\"}");
        assertTrue(thought.contains("Blitz") && thought.contains("rules-1"), thought);
        assertTrue(said(ann, "web:f2", call).contains("\"kind\":\"reflection\""));

        for (int i = 0; i < 20; i++) { // passages and units, each by its id
            Matcher id = ID.matcher(said(ann, "web:f2", "!call memory_recall {\"query\":\"greyhound Blitz\"}"));
            boolean found = false;
            while (id.find() && !found) {
                found = said(ann, "web:f2", "!call memory_forget {\"id\":\"%s\"}".formatted(id.group(1)))
                        .contains("forgotten");
            }
            if (!found) {
                break;
            }
        }

        assertFalse(said(ann, "web:f3", "!call memory_recall {\"query\":\"greyhound Blitz\"}")
                .contains("adopted a greyhound"));
    }

    @Test
    @Tag("M14")
    @Tag("M29")
    void aBankReflectsAndHoldsMentalModelsOverHttp() {
        said(bob, "web:r1", "My daughter Nora plays the cello in Bergen.");
        var banks = bob.get("/v1/banks?fresh=true");
        String bank =
                "/v1/banks/" + banks.json().path("data").path(0).path("id").asText();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bob.get(bank + "/units?fresh=true").text().contains("Nora"));

        var thought = bob.post(bank + "/reflect", Map.of("question", "What does my daughter Nora play?"));
        assertEquals(200, thought.status(), thought.text());
        assertTrue(thought.json().path("answer").asText().contains("cello"), thought.text());
        assertEquals(1, thought.json().path("basedOn").size(), thought.text());
        var kept = bob.get(bank + "/reflections?fresh=true");
        assertEquals(thought.json().path("id"), kept.json().path("data").path(0).path("id"), kept.text());
        assertEquals(400, bob.post(bank + "/reflect", Map.of("question", " ")).status());
        assertEquals(
                404, ann.post(bank + "/reflect", Map.of("question", "What?")).status());

        String model = bank + "/mental-models/nora";
        assertEquals(
                200,
                bob.send("PUT", model, Map.of("question", "What is known of my daughter Nora?"), Map.of())
                        .status());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bob.get(model).json().path("answer").asText().contains("cello"));
        var shown = bob.get(model).json();
        assertEquals(1, shown.path("versions").size(), shown.toString());
        assertEquals(1, bob.get(bank + "/mental-models").json().path("data").size());
        assertEquals(204, bob.delete(model).status());
        assertEquals(404, bob.get(model).status());
    }

    @Test
    void anAgentWithoutMemoryHasNone() {
        var answer = ann.post(
                "/v1/sessions/web:p1/turns?wait=60s",
                Map.of("text", "!call memory_recall {\"query\":\"name\"}", "agent", "plain"));

        assertTrue(answer.json().path("reply").asText().contains("there is no tool"), answer.text());
    }
}
