package dev.parley.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.memory.recall.TokenCounter;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory of users across sessions, private to each, in a complete server process without a language model. */
class MemoryIT {
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    @TempDir
    static Path folder;

    private static MemoryModelDouble thinker;
    private static Instance instance;
    private static Api admin;
    private static Api boss;
    private static Api ann;
    private static Api bob;

    @BeforeAll
    static void start() throws IOException {
        thinker = new MemoryModelDouble();
        Files.writeString(folder.resolve("parley.yml"), """
            agents:
              - { name: default, options: { memory: user } }
              - { name: plain }
              - { name: reader, options: { memory: user_agent, memoryModel: openai/gpt-5 } }
            providers:
              openai: { baseUrl: "http://127.0.0.1:%d/v1", apiKey: "file:%s" }
            permissions:
              - { tool: memory_forget, action: allow }
            """.formatted(
                        thinker.port(), Files.writeString(folder.resolve("key"), "sk-test")));
        instance = Instances.start(folder.resolve("data"));
        admin = Api.of(instance);
        boss = admin.signUp("boss"); // the first user is the administrator
        ann = admin.signUp("ann");
        bob = admin.signUp("bob");
    }

    @AfterAll
    static void stop() {
        instance.close();
        thinker.close();
    }

    private static String reply(Api user, String session, String text) {
        return user.say(session, text).path("reply").asText();
    }

    @Test
    @Tag("M1")
    @Tag("P59")
    void userFactsAreKnownInTheirOtherSessionsOnly() {
        reply(ann, "web:a1", "Hello! my name is Ada Lovelace.");

        await().until(() -> reply(ann, "web:a2", "what is my name?").contains("Ada Lovelace"));
        assertFalse(reply(bob, "web:b1", "what is my name?").contains("Ada"));
    }

    @Test
    @Tag("M7")
    @Tag("M30")
    void toolsRecallAParaphraseReflectAndForget() {
        reply(ann, "web:f1", "I adopted a greyhound called Blitz in March 2026.");
        String call = "!call memory_recall {\"query\":\"which pet does Ann have?\"}";
        await().atMost(Duration.ofSeconds(60))
                .until(() -> reply(ann, "web:f2", call).contains("\"kind\":\"unit\""));
        String reflection = reply(
                ann, "web:f4", "!call memory_reflect {\"question\":\"What is the greyhound that I adopted called?\"}");
        assertTrue(reflection.contains("Blitz") && reflection.contains("rules-1"), reflection);
        await().until(() -> reply(ann, "web:f2", call).contains("\"kind\":\"reflection\""));

        for (int i = 0; i < 20; i++) { // forgets one found passage or unit a round
            Matcher id = ID.matcher(reply(ann, "web:f2", "!call memory_recall {\"query\":\"greyhound Blitz\"}"));
            boolean found = false;
            while (id.find() && !found) {
                found = reply(ann, "web:f2", "!call memory_forget {\"id\":\"%s\"}".formatted(id.group(1)))
                        .contains("forgotten");
            }
            if (!found) {
                break;
            }
        }

        assertFalse(reply(ann, "web:f3", "!call memory_recall {\"query\":\"greyhound Blitz\"}")
                .contains("adopted a greyhound"));
    }

    @Test
    @Tag("P45")
    @Tag("M4")
    void contextResetForgetsOnlyTheCallersMemory() {
        // Given
        reply(ann, "web:z1", "my name is Zoe Quill.");
        reply(bob, "web:y1", "my name is Yann Zimmer.");
        await().until(() -> reply(ann, "web:z2", "what is my name?").contains("Zoe Quill"));
        await().until(() -> reply(bob, "web:y2", "what is my name?").contains("Yann Zimmer"));

        // When
        assertEquals(
                202,
                ann.post("/v1/sessions/web:z1/context", Map.of("reset", "forget"))
                        .status());

        // Then
        await().until(() -> reply(ann, "web:z3", "what is my name?").contains("not told me"));
        assertTrue(reply(ann, "web:z1", "what is my name?").contains("not told me"));
        assertTrue(reply(bob, "web:y3", "what is my name?").contains("Yann Zimmer"));
    }

    @Test
    @Tag("M14")
    @Tag("M29")
    void servesReflectionsAndMentalModelsOverHttp() {
        reply(bob, "web:r1", "My daughter Nora plays the cello in Bergen.");
        String bank = ownBank(bob);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> bob.get(bank + "/units?fresh=true").text().contains("Nora"));

        var reflection = bob.post(bank + "/reflect", Map.of("question", "What does my daughter Nora play?"));
        assertEquals(200, reflection.status(), reflection.text());
        assertTrue(reflection.json().path("answer").asText().contains("cello"), reflection.text());
        assertEquals(1, reflection.json().path("basedOn").size(), reflection.text());
        var reflections = bob.get(bank + "/reflections?fresh=true");
        assertEquals(
                reflection.json().path("id"),
                reflections.json().path("data").path(0).path("id"),
                reflections.text());
        assertEquals(400, bob.post(bank + "/reflect", Map.of("question", " ")).status());
        assertEquals(
                404, ann.post(bank + "/reflect", Map.of("question", "What?")).status());

        String model = bank + "/mental-models/nora";
        assertEquals(
                200,
                bob.send("PUT", model, Map.of("question", "What is known of my daughter Nora?"), Map.of())
                        .status());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> bob.get(model).json().path("answer").asText().contains("cello"));
        var mentalModel = bob.get(model).json();
        assertEquals(1, mentalModel.path("versions").size(), mentalModel.toString());
        assertEquals(1, bob.get(bank + "/mental-models").json().path("data").size());
        assertEquals(204, bob.delete(model).status());
        assertEquals(404, bob.get(model).status());
    }

    private static String ownBank(Api user) {
        return "/v1/banks/"
                + user.post("/v1/banks", Map.of("scope", "user"))
                        .json()
                        .path("id")
                        .asText();
    }

    @Test
    @Tag("M35")
    @Tag("M36")
    @Tag("M37")
    void branchesABankAndChangesItsVectorGeneration() {
        // Given
        Api zoe = admin.signUp("zoe");
        reply(zoe, "web:l1", "My tortoise Tilda was born in Bremen.");
        String bank = ownBank(zoe);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> zoe.get(bank + "/units?fresh=true").text().contains("Tilda"));

        // When
        var branch = zoe.post(bank + "/branches", Map.of("name", "what-if"));

        // Then
        assertEquals(202, branch.status(), branch.text());
        String branchPath = "/v1/banks/" + branch.json().path("id").asText();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> zoe.post(branchPath + "/recall", Map.of("query", "Tilda"))
                        .text()
                        .contains("Bremen"));
        await().until(() ->
                zoe.get(branchPath + "/differences").json().path("data").size() == 0);
        assertEquals(404, bob.get(branchPath).status());

        // When
        assertEquals(
                202,
                zoe.send("PUT", bank + "/generation", Map.of("generation", "hashed-words-256"), Map.of())
                        .status());

        // Then
        await().atMost(Duration.ofSeconds(60))
                .until(() -> zoe.get(bank + "?fresh=true")
                        .json()
                        .path("generation")
                        .asText()
                        .equals("hashed-words-256"));
        assertTrue(zoe.post(bank + "/recall", Map.of("query", "where was the tortoise born"))
                .text()
                .contains("Bremen"));
        assertEquals(
                400,
                zoe.send("PUT", bank + "/generation", Map.of("generation", "none-such"), Map.of())
                        .status());
        assertEquals(
                403,
                zoe.send("PUT", bank + "/budget", Map.of("modelCalls", 9_999), Map.of())
                        .status());
    }

    @Test
    @Tag("M16")
    @Tag("M29")
    @Tag("M30")
    void extractionAndReflectionNameTheirModel() {
        // Given
        Api kim = admin.signUp("kim");
        submit(kim, "web:k1", "The boat of Kim is called Marlin.");
        String bank = bank(kim, Map.of("scope", "user_agent", "agent", "reader"));
        JsonNode unit = await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> ok(kim.get(bank + "/units?text=yacht&fresh=true")).at("/data/0"),
                        found -> found.path("text").asText().contains("yacht"));
        JsonNode from = unit.path("provenance");
        assertTrue(from.path("extractor").asText().startsWith("model-"), unit.toString());
        assertEquals("openai/gpt-5", from.path("model").asText());
        assertEquals(64, from.path("prompt").asText().length());

        // When
        ok(kim.send("PUT", bank + "/profile", Map.of("model", "openai/gpt-5"), Map.of()));
        JsonNode reflection = ok(kim.post(bank + "/reflect", Map.of("question", "What is the boat of Kim called?")));

        // Then
        assertEquals(
                "The boat is called Marlin. [m1]", reflection.path("answer").asText());
        assertEquals("openai/gpt-5", reflection.path("model").asText());
        assertTrue(reflection.path("how").asText().startsWith("model-"), reflection.toString());
        assertEquals(1, reflection.path("basedOn").size(), reflection.toString());
        String cited = reflection.path("basedOn").path(0).asText();
        boolean passage = cited.contains("/");
        ok(kim.get(bank + (passage ? "/docs/" : "/units/") + cited.split("/")[0]));
        assertEquals(List.of("search", "answer"), thinker.thoughts());
    }

    @Test
    @Tag("M33")
    void extractsByRulesIfTheModelFails() {
        // Given
        Api lou = admin.signUp("lou");

        // When
        submit(lou, "web:l9", "My parrot is called Pepper.");

        // Then
        String bank = bank(lou, Map.of("scope", "user_agent", "agent", "reader"));
        JsonNode unit = await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> ok(lou.get(bank + "/units?text=Pepper&fresh=true"))
                                .at("/data/0"),
                        found -> !found.isMissingNode());
        assertTrue(unit.at("/provenance/extractor").asText().startsWith("rules-"), unit.toString());
        assertTrue(thinker.failures() >= 3, "it was asked three times");
    }

    /** The units that a model extracts from a chat about a garden. */
    private static List<JsonNode> gardenUnits(Api user, String session) {
        submit(
                user,
                session,
                "!say I compared heaters for the greenhouse. I built a greenhouse on the third of May, and the dahlias"
                        + " froze.");
        String bank = bank(user, Map.of("scope", "user_agent", "agent", "reader"));
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> user.list(bank + "/units?fresh=true"), units -> units.size() >= 5);
    }

    private static JsonNode unit(Api user, List<JsonNode> units, String text) {
        String id = units.stream()
                .filter(unit -> unit.path("text").asText().contains(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError(text + " in " + units))
                .path("id")
                .asText();
        return ok(user.get(bank(user, Map.of("scope", "user_agent", "agent", "reader")) + "/units/" + id));
    }

    private static JsonNode link(JsonNode unit, JsonNode other, String type, boolean outgoing) {
        for (JsonNode link : unit.at("/relations/links")) {
            if (link.path("unit").equals(other.path("id"))
                    && link.path("type").asText().equals(type)
                    && link.path("outgoing").asBoolean() == outgoing) {
                return link;
            }
        }
        throw new AssertionError(type + " to " + other.path("text") + ": " + unit);
    }

    @Test
    @Tag("M10")
    @Tag("M11")
    @Tag("M12")
    void separatesWorldFactsExperiencesAndOpinions() {
        // Given
        Api mia = admin.signUp("mia");
        List<JsonNode> units = gardenUnits(mia, "web:m1");

        // Then
        assertEquals(
                "world", unit(mia, units, "built a greenhouse").path("type").asText());
        JsonNode experience = unit(mia, units, "compared heaters");
        assertEquals("experience", experience.path("type").asText());
        assertTrue(experience.path("confidence").isNull());
        JsonNode opinion = unit(mia, units, "needs a heater");
        assertEquals("opinion", opinion.path("type").asText());
        assertEquals(0.7, opinion.path("confidence").asDouble(), 0.001);
        assertEquals("default/web:m1", opinion.at("/provenance/session").asText());

        // When a fact says the same as the opinion
        String bank = bank(mia, Map.of("scope", "user_agent", "agent", "reader"));
        retain(mia, bank, Map.of("text", "The greenhouse of Rosa Lind needs a heater."));

        // Then a fifth of the doubt is removed
        JsonNode strengthened = await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> ok(mia.get(bank + "/units/" + opinion.path("id").asText())),
                        unit -> unit.path("version").asInt() == 2);
        assertEquals(0.76, strengthened.path("confidence").asDouble(), 0.001);
        JsonNode recalled = ok(mia.post(
                bank + "/recall", Map.of("query", "Does the greenhouse need a heater?", "types", List.of("opinion"))));
        assertEquals(opinion.path("id"), recalled.at("/memories/0/id"), recalled.toString());
    }

    @Test
    @Tag("M22")
    @Tag("M25")
    @Tag("M26")
    void linksCausalAndTemporalUnitsInBothDirections() {
        // Given
        Api nia = admin.signUp("nia");
        List<JsonNode> units = gardenUnits(nia, "web:n9");
        JsonNode built = unit(nia, units, "built a greenhouse");
        JsonNode frost = unit(nia, units, "Frost killed");
        JsonNode tomatoes = unit(nia, units, "grows tomatoes");

        // Then
        assertEquals(1, link(frost, built, "caused_by", true).path("weight").asDouble());
        link(built, frost, "caused_by", false);
        link(tomatoes, built, "enables", true);
        link(built, tomatoes, "enables", false);
        link(tomatoes, frost, "prevents", true);
        double weight = link(
                        frost,
                        built,
                        "temporal",
                        frost.at("/relations/links").toString().contains("temporal"))
                .path("weight")
                .asDouble();
        assertTrue(weight >= 0.3 && weight <= 1, () -> "of one day: " + weight);
        JsonNode recalled = ok(nia.post(
                bank(nia, Map.of("scope", "user_agent", "agent", "reader")) + "/recall?trace=true",
                Map.of("query", "Why did the flowers die?")));
        assertTrue(recalled.at("/trace/arms/graph").isArray(), recalled.toString());
    }

    @Test
    @Tag("M9")
    void unitsKeepTimesBeforeTheGregorianCalendar() {
        // Given
        Api leif = admin.signUp("leif");
        String bank = bank(leif, Map.of("scope", "user"));
        retain(leif, bank, Map.of("text", "Leif found an old map.", "mentionedAt", "1000-01-01T00:00:00Z"));
        String units = bank + "/units?fresh=true";

        // Then
        JsonNode unit = leif.list(units).getFirst();
        assertEquals("1000-01-01T00:00:00Z", unit.path("mentionedAt").asText());
        assertEquals("1000-01-01T00:00:00Z", unit.path("date").asText());
        assertEquals(
                1,
                leif.list(units + "&from=1000-01-01T00:00:00Z&to=1000-01-01T00:00:01Z")
                        .size());
        assertEquals(0, leif.list(units + "&to=1000-01-01T00:00:00Z").size());
    }

    @Test
    @Tag("B150")
    void yesterdayIsThatOfTheSpeakersProfile() {
        // Given
        Api kiri = admin.signUp("kiri");
        assertEquals(
                400,
                kiri.patch("/v1/me", Map.of("timeZone", "Pacific/Atlantis")).status());
        assertEquals(
                200,
                kiri.patch("/v1/me", Map.of("timeZone", "Pacific/Auckland")).status());
        await().until(() -> reply(kiri, "web:kiri1", "!call time {}").contains("[Pacific/Auckland]"));
        String bank = bank(kiri, Map.of("scope", "user"));

        // When
        retain(kiri, bank, Map.of("text", "I met Ana yesterday.", "mentionedAt", "2026-03-01T20:00:00Z"));
        reply(kiri, "web:kiri2", "I met Wiremu yesterday.");

        // Then
        JsonNode ana = unit(kiri, bank, "Ana");
        assertEquals("2026-02-28T11:00:00Z", ana.path("occurredFrom").asText()); // 1 March, 0:00 in Auckland
        JsonNode wiremu = unit(kiri, bank, "Wiremu");
        ZonedDateTime said = Instant.parse(wiremu.path("mentionedAt").asText()).atZone(ZoneId.of("Pacific/Auckland"));
        assertEquals(
                said.toLocalDate().minusDays(1).atStartOfDay(said.getZone()).toInstant(),
                Instant.parse(wiremu.path("occurredFrom").asText()));
        String found = reply(kiri, "web:kiri3", "!call memory_recall {\"query\":\"what happened on 1 March 2026?\"}");
        assertTrue(found.contains("2026-03-01T00:00:00+13:00"), found);
        String recent = reply(kiri, "web:kiri3", "!call memory_recall {\"query\":\"what happened yesterday?\"}");
        assertTrue(recent.contains("Wiremu"), recent);
    }

    private static JsonNode unit(Api user, String bank, String word) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> user.list(bank + "/units?fresh=true").stream()
                                .filter(unit -> unit.path("text").asText().contains(word))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    @Test
    @Tag("M9")
    void unitsHaveOccurrenceAndMentionTimes() {
        // Given
        Api ola = admin.signUp("ola");
        String bank = bank(ola, Map.of("scope", "user"));
        retain(
                ola,
                bank,
                Map.of(
                        "sayings",
                        List.of(
                                Map.of("text", "I visited Rome last May."),
                                Map.of("text", "Ich habe vor zwei Wochen ein Kanu gekauft."),
                                Map.of("text", "My brother owns an old lighthouse.")),
                        "mentionedAt",
                        "2026-06-15T10:00:00Z"));
        List<JsonNode> units = ola.list(bank + "/units?fresh=true");

        // Then
        JsonNode rome = units.stream()
                .filter(unit -> unit.path("text").asText().contains("Rome"))
                .findFirst()
                .orElseThrow();
        assertEquals("2026-06-15T10:00:00Z", rome.path("mentionedAt").asText());
        assertTrue(rome.path("occurredFrom").asText().startsWith("2026-05-01"), rome.toString());
        assertTrue(rome.path("occurredTo").asText().startsWith("2026-05-31"), rome.toString());
        JsonNode canoe = units.stream()
                .filter(unit -> unit.path("text").asText().contains("Kanu"))
                .findFirst()
                .orElseThrow();
        assertTrue(canoe.path("occurredFrom").asText().startsWith("2026-06-01"), canoe.toString());
        JsonNode lighthouse = units.stream()
                .filter(unit -> unit.path("text").asText().contains("lighthouse"))
                .findFirst()
                .orElseThrow();
        assertTrue(lighthouse.path("occurredFrom").isNull(), lighthouse.toString());
        var may = Map.of("from", "2026-05-01T00:00:00Z", "to", "2026-05-31T23:59:59Z");
        JsonNode recalled = ok(ola.post(
                bank + "/recall", Map.of("query", "What did I do?", "during", may, "types", List.of("world"))));
        assertTrue(recalled.path("memories").toString().contains("Rome"), recalled.toString());
    }

    @Test
    @Tag("M13")
    @Tag("M23")
    void equivalentFactsAreOneObservationUntilContradicted() {
        // Given
        Api pia = admin.signUp("pia");
        String bank = bank(pia, Map.of("scope", "user"));
        for (int i = 1; i <= 3; i++) {
            retain(
                    pia,
                    bank,
                    Map.of(
                            "text",
                            "I live in Bergen.",
                            "id",
                            "home-" + i,
                            "mentionedAt",
                            "2026-0" + i + "-01T00:00:00Z"));
        }

        // Then
        JsonNode observation = await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> ok(pia.get(bank + "/units?type=observation&fresh=true"))
                                .at("/data/0"),
                        unit -> unit.path("proofCount").asInt() == 3);
        assertEquals(3, observation.path("sources").size());
        List<JsonNode> facts = pia.list(bank + "/units?type=world");
        assertEquals(3, facts.size());
        JsonNode fact =
                ok(pia.get(bank + "/units/" + facts.getFirst().path("id").asText()));
        assertTrue(
                fact.at("/relations/partOf")
                        .toString()
                        .contains(observation.path("id").asText()),
                fact.toString());
        boolean alike = false;
        for (JsonNode link : fact.at("/relations/links")) {
            alike |= link.path("type").asText().equals("semantic")
                    && link.path("weight").asDouble() >= 0.7;
        }
        assertTrue(alike, fact.toString());

        // When
        retain(pia, bank, Map.of("text", "I live in Oslo now.", "mentionedAt", "2026-05-01T00:00:00Z"));

        // Then
        await().atMost(Duration.ofSeconds(60))
                .until(() -> pia.list(bank + "/units?type=world&fresh=true").stream()
                        .noneMatch(unit -> unit.path("text").asText().contains("Bergen")));
        assertTrue(pia.list(bank + "/units?state=retired").stream()
                .anyMatch(unit -> unit.path("text").asText().contains("Bergen")));
        await().untilAsserted(
                        () -> { // the observation is updated after its facts
                            JsonNode recalled = ok(pia.post(
                                    bank + "/recall",
                                    Map.of("query", "Where do I live?", "types", List.of("observation", "world"))));
                            for (JsonNode memory : recalled.path("memories")) { // the original passages remain
                                boolean isUnit = memory.path("kind").asText().equals("unit");
                                assertFalse(
                                        isUnit && memory.path("text").asText().contains("Bergen"), recalled.toString());
                            }
                            assertTrue(recalled.toString().contains("user: I live in Oslo now."), recalled.toString());
                        });
    }

    @Test
    @Tag("M39")
    void documentWithAForgetTimeIsForgotten() {
        // Given
        Api quin = admin.signUp("quin");
        String bank = bank(quin, Map.of("scope", "user"));
        retain(quin, bank, Map.of("text", "My locker is blue."));
        retain(
                quin,
                bank,
                Map.of(
                        "text",
                        "My locker has the number 4711.",
                        "forgetAt",
                        Instant.now().plusSeconds(10).toString()));
        assertTrue(ok(quin.post(bank + "/recall", Map.of("query", "locker")))
                .toString()
                .contains("4711"));

        // When the time of forgetAt has passed

        // Then
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !ok(quin.post(bank + "/recall", Map.of("query", "locker")))
                        .toString()
                        .contains("4711"));
        await().until(() ->
                ok(quin.get(bank + "?fresh=true")).at("/counts/documents").asInt() == 1);
        assertTrue(ok(quin.post(bank + "/recall", Map.of("query", "locker")))
                .toString()
                .contains("blue"));
    }

    /** Submits a message to the agent whose bank reads it; the reply does not depend on the extraction. */
    private static void submit(Api user, String session, String text) {
        Answer turn = user.turn(session, Map.of("text", text, "agent", "reader"));
        assertEquals("COMPLETED", turn.json().path("state").asText(), turn.text());
    }

    @Test
    void agentWithoutMemoryHasNoMemoryTools() {
        var answer = ann.turn("web:p1", Map.of("text", "!call memory_recall {\"query\":\"name\"}", "agent", "plain"));

        assertTrue(answer.json().path("reply").asText().contains("there is no tool"), answer.text());
    }

    // ---- over HTTP

    private static String bank(Api user, Map<String, String> request) {
        Answer opened = user.post("/v1/banks", request);
        assertTrue(opened.status() == 201 || opened.status() == 200, opened.text());
        return "/v1/banks/" + opened.json().path("id").asText();
    }

    private static JsonNode retain(Api user, String bank, Object body) {
        Answer answer = user.post(bank + "/docs?wait=60s", body);
        assertEquals(200, answer.status(), answer.text());
        return answer.json().path("operations");
    }

    private static JsonNode ok(Answer answer) {
        assertEquals(200, answer.status(), answer.text());
        return answer.json();
    }

    @Test
    @Tag("M1")
    @Tag("M2")
    @Tag("M3")
    void bankAccessFollowsItsScopeAndPermissions() {
        String ownBank = bank(ann, Map.of("scope", "user"));
        assertEquals(ownBank, bank(ann, Map.of("scope", "user")), "it is found, not made again");
        for (Api other : List.of(bob, boss, admin)) {
            assertEquals("unknown_bank", other.get(ownBank).code());
            assertEquals(
                    "unknown_bank",
                    other.post(ownBank + "/recall", Map.of("query", "x")).code());
            assertEquals("unknown_bank", other.delete(ownBank).code());
            assertFalse(other.get("/v1/banks").text().contains(ownBank.substring("/v1/banks/".length())));
        }
        assertTrue(ann.get("/v1/banks?scope=user").text().contains(ownBank.substring("/v1/banks/".length())));
        assertEquals(404, ann.get("/v1/banks/" + UUID.randomUUID()).status());

        // The profile
        assertEquals(3, ok(ann.get(ownBank)).at("/profile/skepticism").asInt());
        Answer invalid = ann.send("PUT", ownBank + "/profile", Map.of("skepticism", 6), Map.of());
        assertEquals(400, invalid.status());
        assertTrue(invalid.text().contains("skepticism is from 1 to 5, not 6"), invalid.text());
        Answer nobodys = ann.send("PUT", ownBank + "/profile", Map.of("model", "nope/x"), Map.of());
        assertEquals("invalid_model", nobodys.code(), nobodys.text());
        assertTrue(nobodys.text().contains("there are scripted"), nobodys.text());
        for (Answer contradictory : List.of(
                ann.post(
                        ownBank + "/docs",
                        Map.of("text", "x", "mentionedAt", "2030-01-01T00:00:00Z", "forgetAt", "2029-01-01T00:00:00Z")),
                ann.post(ownBank + "/branches", Map.of("name", "b", "at", "2026-01-01T00:00:00Z", "seq", 3)),
                ann.get(ownBank + "/units?from=2027-01-01T00:00:00Z&to=2026-01-01T00:00:00Z"),
                ann.post(ownBank + "/docs", Map.of("documents", List.of())))) {
            assertEquals(400, contradictory.status(), contradictory.text());
        }
        JsonNode changed =
                ok(ann.send("PUT", ownBank + "/profile", Map.of("empathy", 5, "background", "A nurse."), Map.of()));
        assertEquals(5, changed.at("/profile/empathy").asInt());
        assertEquals(3, changed.at("/profile/literalism").asInt());
        assertEquals("A nurse.", ok(ann.get(ownBank)).at("/profile/background").asText());

        // Project leaders change the bank of an agent, administrators that of the host
        var agents = Map.of("scope", "agent", "agent", "plain");
        assertEquals("forbidden", ann.post("/v1/banks", agents).code());
        String shared = bank(boss, agents);
        assertEquals(200, ann.get(shared).status());
        assertEquals("forbidden", ann.delete(shared).code());
        assertEquals(
                "forbidden",
                ann.send("PUT", shared + "/profile", Map.of(), Map.of()).code());
        assertEquals(
                "unknown_bank", ann.post("/v1/banks", Map.of("scope", "host")).code());
        assertEquals(
                "unknown_bank", ann.get(bank(boss, Map.of("scope", "host"))).code());
        assertEquals(
                "invalid_agent", ann.post("/v1/banks", Map.of("scope", "agent")).code());

        // A key allows only what its permissions grant
        Api limited = new Api(
                instance.url(),
                ann.post("/v1/api-keys", Map.of("name", "reader", "permissions", List.of("memory.read")))
                        .json()
                        .path("apiKey")
                        .asText());
        assertEquals(200, limited.get(ownBank).status());
        assertEquals(
                "forbidden",
                limited.post(ownBank + "/docs", Map.of("text", "x")).code());
        assertEquals("forbidden", limited.delete(ownBank).code());
    }

    @Test
    @Tag("M5")
    @Tag("M16")
    @Tag("M19")
    void retainedDocumentYieldsUnitsWithProvenanceUntilErased() {
        String bank = bank(ann, Map.of("scope", "user_agent", "agent", "library"));
        var request = Map.of(
                "text",
                "Alice Chen met Bob Stone in Lisbon in May 2025. Alice Chen plays the cello because Bob Stone gave it"
                        + " to her.",
                "tags",
                List.of("music"));
        JsonNode operation = retain(ann, bank, request).path(0);
        assertEquals("done", operation.path("state").asText());
        JsonNode counts = ok(ann.get(bank + "?fresh=true")).path("counts");
        assertEquals(1, counts.path("documents").asInt());
        assertEquals(0, counts.path("waiting").asInt());

        // Retaining the same document again changes nothing
        assertEquals(
                operation.path("document"), retain(ann, bank, request).path(0).path("document"));
        assertEquals(counts, ok(ann.get(bank + "?fresh=true")).path("counts"));

        JsonNode document =
                ok(ann.get(bank + "/docs/" + operation.path("document").asText()));
        assertEquals(request.get("text"), document.path("text").asText());
        assertEquals(1, document.path("chunks").size());
        JsonNode unit = document.path("units").path(0);
        String text = document.path("text").asText();
        JsonNode provenance = unit.path("provenance");
        assertTrue(
                text.substring(
                                provenance.path("from").asInt(),
                                provenance.path("to").asInt())
                        .contains(unit.path("text").asText()),
                unit.toString());
        assertEquals(document.at("/chunks/0/hash"), provenance.path("chunk"));
        assertTrue(provenance.path("extractor").asText().startsWith("rules"), provenance.toString());

        // Everything about Alice
        JsonNode alice = ok(ann.get(bank + "/entities?name=alice")).at("/data/0");
        assertEquals("Alice Chen", alice.path("name").asText());
        String entity = bank + "/entities/" + alice.path("id").asText();
        List<JsonNode> aliceUnits = ann.list(entity + "/units");
        assertEquals(alice.path("mentions").asInt(), aliceUnits.size());
        assertEquals(
                aliceUnits, ann.list(bank + "/units?entity=" + alice.path("id").asText()));
        assertTrue(ann.get(entity + "/neighbours").text().contains("Bob Stone"));
        assertTrue(ok(ann.get(bank + "/graph?entity=" + alice.path("id").asText()))
                .path("edges")
                .toString()
                .contains("\"entity\""));

        // A unit with its relations
        JsonNode details = ok(ann.get(bank + "/units/" + unit.path("id").asText()));
        assertFalse(details.at("/relations/entities").isEmpty());
        for (JsonNode link : details.at("/relations/links")) {
            assertTrue(
                    link.path("weight").asDouble() >= 0 && link.path("weight").asDouble() <= 1, link.toString());
            assertFalse(link.path("unit").equals(details.path("id")));
        }

        // Lists continue after a cursor
        List<JsonNode> units = ann.list(bank + "/units");
        JsonNode page = ok(ann.get(bank + "/units?limit=1"));
        JsonNode next =
                ok(ann.get(bank + "/units?limit=200&cursor=" + page.path("next").asText()));
        assertEquals(units.getFirst(), page.at("/data/0"));
        assertEquals(units.size() - 1, next.path("data").size());
        assertEquals(units.subList(1, units.size()), Api.rows(new Answer(200, next, "", null)));
        assertEquals(
                units.stream()
                        .filter(row -> row.path("text").asText().contains("Alice"))
                        .toList(),
                ann.list(bank + "/units?text=ALICE&tag=music&from=2000-01-01T00:00:00Z"));
        assertEquals(0, ann.list(bank + "/units?tag=other").size());
        assertEquals("invalid_type", ann.get(bank + "/units?type=fact").code());

        // A retired unit is still shown; an erased document is gone, with a receipt, and nothing refers to it
        String path = bank + "/units/" + unit.path("id").asText();
        JsonNode retired = ok(ann.post(path + "/retire", Map.of("reason", "It was a viola.")));
        assertEquals("It was a viola.", retired.at("/retired/reason").asText());
        assertEquals(1, ann.list(bank + "/units?state=retired").size());
        Answer erased = ann.delete(bank + "/docs/" + operation.path("document").asText());
        assertEquals(202, erased.status(), erased.text());
        JsonNode receipt =
                ok(ann.get(bank + "/erasures/" + erased.json().path("erasure").asText()));
        assertEquals(1, receipt.path("documents").asInt());
        assertTrue(receipt.path("found").asBoolean());
        assertTrue(receipt.path("units").asInt() >= document.path("units").size(), receipt.toString());
        assertTrue(receipt.path("logCleanAt")
                        .asText()
                        .compareTo(receipt.path("erasedAt").asText())
                > 0);
        JsonNode remaining = ok(ann.get(bank)).path("counts");
        assertEquals(
                0,
                remaining.path("documents").asInt()
                        + remaining.path("entities").asInt()
                        + remaining.path("links").asInt());
        assertEquals(
                "unknown_document",
                ann.delete(bank + "/docs/" + operation.path("document").asText())
                        .code());
    }

    @Test
    @Tag("M30")
    @Tag("M31")
    void recallRespectsTokenLimitsArmsAndFilters() {
        String bank = bank(bob, Map.of("scope", "user_agent", "agent", "zoo"));
        var documents = IntStream.range(0, 12)
                .mapToObj(
                        i -> Map.of("text", "Keeper Nora Field fed the zebra number " + i + " with hay in June 2025."))
                .toList();
        Answer accepted = bob.post(bank + "/docs", Map.of("documents", documents), Map.of("Idempotency-Key", "zebras"));
        assertEquals(202, accepted.status(), accepted.text());

        // Found by keywords at once, before facts are extracted
        JsonNode found = ok(bob.post(bank + "/recall", Map.of("query", "zebra 7", "maxTokens", 2000)));
        assertTrue(found.path("memories").toString().contains("number 7"), found.toString());
        assertTrue(found.path("known").asLong() > 12);

        String operation = accepted.json().at("/operations/11/id").asText();
        assertEquals(
                operation,
                bob.post(bank + "/docs", Map.of("documents", documents), Map.of("Idempotency-Key", "zebras"))
                        .json()
                        .at("/operations/11/id")
                        .asText(),
                "the same key is the same operation");
        Answer other = bob.post(
                bank + "/docs", Map.of("text", "Nora Field left the zoo."), Map.of("Idempotency-Key", "zebras"));
        assertEquals(409, other.status(), other.text());
        assertEquals("idempotency_mismatch", other.code());
        var changed = new ArrayList<>(documents);
        changed.set(11, Map.of("text", "Nora Field left the zoo."));
        JsonNode refused = bob.post(
                        bank + "/docs?wait=60s", Map.of("documents", changed), Map.of("Idempotency-Key", "zebras"))
                .json();
        assertEquals("done", refused.at("/operations/10/state").asText(), refused.toString());
        assertEquals("idempotency_mismatch", refused.at("/operations/11/code").asText(), refused.toString());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ok(bob.get(bank + "/operations/" + operation))
                        .path("state")
                        .asText()
                        .equals("done"));
        assertEquals(
                "unknown_operation",
                bob.get(bank + "/operations/" + UUID.randomUUID()).code());

        JsonNode small = ok(bob.post(bank + "/recall", Map.of("query", "Who feeds zebras?", "maxTokens", 100)));
        assertTrue(small.path("tokens").asInt() <= 100, small.toString());
        assertFalse(small.path("memories").isEmpty());
        assertTrue(TokenCounter.of("{\"memories\":" + small.path("memories") + "}") <= 100, small.toString());

        JsonNode traced = ok(bob.post(
                bank + "/recall?trace=true",
                Map.of("query", "zebra", "without", List.of("semantic", "graph"), "types", List.of("world"))));
        assertTrue(traced.at("/trace/arms").has("keyword"), traced.path("trace").toString());
        assertFalse(traced.at("/trace/arms").has("semantic"));
        assertTrue(ok(bob.post(bank + "/recall", Map.of("query", "zebra")))
                .path("trace")
                .isNull());
        assertTrue(ok(bob.post(
                        bank + "/recall",
                        Map.of(
                                "query",
                                "zebra",
                                "during",
                                Map.of("from", "2001-01-01T00:00:00Z", "to", "2001-12-31T00:00:00Z"))))
                .path("memories")
                .isEmpty());

        // Invalid requests are rejected
        for (Map<String, Object> invalid : List.<Map<String, Object>>of(
                Map.of("query", " "),
                Map.of("query", "x", "maxTokens", 1),
                Map.of("query", "x", "types", List.of("fact")),
                Map.of("query", "x", "without", List.of("luck")),
                Map.of("query", "x", "odd", 1))) {
            assertEquals(400, bob.post(bank + "/recall", invalid).status(), invalid.toString());
        }
        assertEquals(
                "empty_document",
                bob.post(bank + "/docs", Map.of("text", " \n")).code());
        assertEquals("missing_field", bob.post(bank + "/docs", Map.of()).code());
        assertEquals(
                413,
                bob.post(bank + "/docs", Map.of("text", "x".repeat((1 << 20) + 1)))
                        .status());
        Answer tooMany =
                bob.post(bank + "/docs", Map.of("documents", Collections.nCopies(10_000, Map.of("text", "x"))));
        assertEquals(400, tooMany.status());
        assertTrue(tooMany.text().contains("1 to 100 documents"), tooMany.text());
    }

    @Test
    @Tag("M28")
    void withholdsAReplyThatBreaksADirective() {
        // Given
        Api eve = admin.signUp("eve");
        String rule = bank(eve, Map.of("scope", "user")) + "/directives/no%20phones";
        ok(eve.send("PUT", rule, Map.of("content", "Never give phone numbers.", "priority", 5), Map.of()));
        String call = "!say Call +47 22 12 34 56.";

        // When
        String reply = reply(eve, "web:n1", call);

        // Then
        assertEquals("The answer is withheld: it breaks the directive \"no phones\".", reply);
        String messages = await().until(
                        () -> eve.get("/v1/sessions/web:n1/messages?role=assistant")
                                .text(),
                        text -> text.contains("content-filter"));
        assertFalse(messages.contains("22 12 34"), messages);
        assertTrue(reply(bob, "web:n2", call).contains("+47 22 12 34 56"), "it is hers alone");

        // When
        assertEquals(204, eve.delete(rule).status());

        // Then
        assertTrue(reply(eve, "web:n1", call).contains("+47 22 12 34 56"));
    }

    @Test
    @Tag("M4")
    @Tag("M28")
    void setsDirectivesByNameAndErasesAWholeBank() {
        String bank = bank(bob, Map.of("scope", "user_agent", "agent", "desk"));
        retain(bob, bank, Map.of("sayings", List.of(Map.of("text", "My neighbour Carla Voss sings."))));
        String rule = bank + "/directives/no%20phones";
        ok(bob.send("PUT", rule, Map.of("content", "Never give phone numbers."), Map.of()));
        JsonNode changed = ok(bob.send(
                "PUT", rule, Map.of("content", "Give no phone numbers.", "priority", 7, "active", false), Map.of()));
        assertEquals("no phones", changed.path("name").asText());
        assertEquals(List.of(changed), bob.list(bank + "/directives"));
        assertEquals(400, bob.send("PUT", rule, Map.of("content", ""), Map.of()).status());
        assertEquals(204, bob.delete(rule).status());
        assertEquals("unknown_directive", bob.delete(rule).code());

        assertEquals(202, bob.delete(bank).status());
        JsonNode erased = ok(bob.get(bank));
        assertFalse(erased.path("active").asBoolean());
        assertEquals(
                0,
                erased.at("/counts/documents").asInt()
                        + erased.at("/counts/entities").asInt());
        assertTrue(ok(bob.post(bank + "/recall", Map.of("query", "Carla")))
                .path("memories")
                .isEmpty());
        assertTrue(bob.list(bank + "/erasures").getFirst().path("whole").asBoolean());
        assertFalse(bob.get("/v1/banks").text().contains(bank.substring("/v1/banks/".length())));
        assertEquals(bank, bank(bob, Map.of("scope", "user_agent", "agent", "desk")));
        assertTrue(ok(bob.get(bank)).path("active").asBoolean());
    }

    @Test
    void openApiDescribesTheMemoryRoutes() {
        String described = admin.get("/openapi").text();
        for (String path : List.of(
                "/v1/banks",
                "/v1/banks/{bank}/docs/{doc}",
                "/v1/banks/{bank}/recall",
                "/v1/banks/{bank}/entities/{entity}/units",
                "/v1/banks/{bank}/directives/{name}")) {
            assertTrue(described.contains("  " + path + ":"), path);
        }
        assertFalse(Pattern.compile("\\bCaller\\b").matcher(described).find(), "an inner type is shown");
    }
}
