package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.config.ConfigReader;
import dev.parley.server.Api.Answer;
import dev.parley.server.chat.PipedChat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agents may do, in a whole process. */
class PermissionsIT {
    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
                agents:
                  - name: default
                  - { name: helper, mode: subagent }
                permissions:
                  - { tool: echo, action: ask }
                  - { tool: time, action: deny }
                """);
        servers = new Servers(folder);
        begin();
    }

    private static void begin() {
        instance = Instance.start(ConfigReader.read(servers.environment("one", 2)));
        api = new Api(instance.url(), Servers.KEY);
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    /** Says something that ends in a question, which is answered here with what is asked. */
    private static JsonNode asks(String session, String text) {
        Answer said = api.post("/v1/sessions/" + session + "/turns", Map.of("text", text));
        assertEquals(202, said.status(), said.text());
        return asked(session);
    }

    private static JsonNode asked(String session) {
        return Awaitility.await()
                .until(() -> open(session), list -> !list.isEmpty())
                .getFirst();
    }

    private static List<JsonNode> open(String session) {
        var found = new ArrayList<JsonNode>();
        api.list("/v1/approvals").stream()
                .filter(one -> one.get("session").asText().startsWith(session))
                .forEach(found::add);
        return found;
    }

    private static Answer answers(String session, JsonNode approval, String answer) {
        return api.post(
                "/v1/sessions/" + session + "/approvals/" + approval.get("id").asText(), Map.of("answer", answer));
    }

    private static String reply(String session) {
        return Awaitility.await()
                .until(
                        () -> turn(session),
                        turn -> List.of("COMPLETED", "FAILED", "CANCELLED")
                                .contains(turn.path("state").asText()))
                .path("reply")
                .asText();
    }

    private static JsonNode turn(String session) {
        return api.list("/v1/sessions/" + session + "/turns").getLast();
    }

    @Test
    @Tag("I93")
    void aQuestionOutlivesAStopOfAllServices() {
        // Given
        JsonNode asked = asks("web:restart", "!call echo {\"text\":\"hello\"}");
        assertEquals("echo", asked.get("tool").asText());
        assertEquals("{\"text\":\"hello\"}", asked.get("arguments").asText());
        assertEquals("WAITING_APPROVAL", turn("web:restart").get("state").asText());

        // When
        instance.close();
        begin();

        // Then
        JsonNode again = asked("web:restart");
        assertEquals(asked.get("id"), again.get("id"));
        assertEquals(202, answers("web:restart", again, "once").status());
        assertTrue(reply("web:restart").contains("hello"), turn("web:restart").toString());
        assertEquals(List.of(), open("web:restart"));
        Answer late = answers("web:restart", again, "once");
        assertEquals(404, late.status());
        assertEquals("unknown_approval", late.code());
    }

    @Test
    @Tag("I92")
    void whatIsDeniedIsToldToTheModel() {
        JsonNode turn = api.say("web:denied", "!call time {}");
        assertTrue(turn.get("reply").asText().contains("denied by the rule"), turn.toString());
    }

    @Test
    @Tag("I93")
    void aNoIsANo() {
        JsonNode asked = asks("web:no", "!call echo {\"text\":\"hello\"}");
        assertEquals(202, answers("web:no", asked, "reject").status());
        assertTrue(reply("web:no").contains("a person said no"), turn("web:no").toString());
    }

    @Test
    @Tag("I94")
    @Tag("I53")
    void aYesForTheSessionHoldsThereAndAnOwnRuleAsWell() {
        // Given
        JsonNode asked = asks("web:always", "!call echo {\"text\":\"one\"}");
        answers("web:always", asked, "session");
        reply("web:always");

        // Then
        assertTrue(api.say("web:always", "!call echo {\"text\":\"two\"}")
                .get("reply")
                .asText()
                .contains("two"));
        JsonNode elsewhere = asks("web:always-not", "!call echo {\"text\":\"one\"}");
        answers("web:always-not", elsewhere, "reject");
        reply("web:always-not");

        // When
        var rules = Map.of("rules", List.of(Map.of("tool", "echo", "action", "deny")));
        assertEquals(
                202,
                api.send("PUT", "/v1/sessions/web:always/permissions", rules, Map.of())
                        .status());

        // Then
        String reply = api.say("web:always", "!call echo {\"text\":\"three\"}")
                .get("reply")
                .asText();
        assertTrue(reply.contains("denied by the rule"), reply);
    }

    @Test
    void badAnswersAndRulesAreRefusedAtTheBorder() {
        JsonNode asked = asks("web:bad", "!call echo {\"text\":\"x\"}");
        assertEquals("invalid_answer", answers("web:bad", asked, "perhaps").code());
        for (var rule : List.of(
                Map.of("tool", "echo"),
                Map.of("action", "deny"),
                Map.of("tool", "a b", "action", "deny"),
                Map.of("tool", "echo", "action", "deny", "pattern", ""))) {
            Answer refused =
                    api.send("PUT", "/v1/sessions/web:bad/permissions", Map.of("rules", List.of(rule)), Map.of());
            assertEquals(400, refused.status(), refused.text());
            assertEquals("invalid_rule", refused.code());
        }
        assertEquals(202, answers("web:bad", asked, "reject").status());
        reply("web:bad");
    }

    @Test
    @Tag("I93")
    void whatADelegateAsksIsAnsweredWhereThePersonIs() {
        JsonNode asked = asks("web:boss", "!delegate helper !call echo {\"text\":\"from below\"}");
        assertEquals("web:boss:delegate:helper", asked.get("session").asText());

        assertEquals(202, answers("web:boss", asked, "once").status());

        assertTrue(reply("web:boss").contains("from below"), turn("web:boss").toString());
    }

    @Test
    @Tag("I93")
    void theTerminalAsks() throws Exception {
        try (var chat = new PipedChat(instance.url(), Servers.KEY, folder, "web:terminal")) {
            chat.types("!call echo {\"text\":\"typed\"}");
            Awaitility.await().until(() -> chat.shown().contains("May I use echo?"));
            chat.types("what");
            chat.types("y");
            Awaitility.await().until(() -> chat.shown().contains("→ typed"));
            assertTrue(chat.shown().contains("Please answer y, a or n."), chat.shown());
        }
    }
}
