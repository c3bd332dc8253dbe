package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Message;
import dev.parley.platform.testkit.telegram.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator answers people in the agent's place, in chats and over HTTP. */
class HandoffIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TOKEN = "123456:AAbot-token_0123456789";
    private static final String PASSWORD = "correct horse";

    @TempDir
    static Path folder;

    private static FakeTelegram telegram;
    private static Bot bot;
    private static Instance instance;
    private static Api api;
    private static Api olga;
    private static Api oskar;
    private static Api bob;
    private static long people = 1_000;

    private final User ann = telegram.user(++people, "Ann");
    private final Chat chat = bot.chat(ann);
    private final String session = "telegram:" + ann.id();
    private final String path = "/v1/sessions/" + session;

    @BeforeAll
    static void start() throws IOException {
        telegram = new FakeTelegram();
        telegram.httpsOnly(false);
        bot = telegram.bot(TOKEN, "parley_bot");
        Files.writeString(folder.resolve("token"), TOKEN + "\n");
        Files.writeString(folder.resolve("parley.yml"), """
                telegram:
                  - { name: telegram, token: "file:%s/token", apiUrl: "%s", allowAll: true }
                """.formatted(folder, telegram.url()));
        instance = Instances.start(Instances.environment(folder.resolve("data")));
        api = Api.of(instance);
        bot.awaitPoll(SOON);
        olga = operator("olga");
        oskar = operator("oskar");
        bob = api.register(Map.of("username", "bob", "password", PASSWORD)).api();
    }

    private static Api operator(String name) {
        var account = api.register(Map.of("username", name, "password", PASSWORD));
        api.send("PATCH", "/v1/users/" + account.id(), Map.of("role", "admin"), Map.of("If-Match", "*"));
        return account.api();
    }

    @AfterAll
    static void stop() {
        instance.close();
        telegram.close();
    }

    private List<JsonNode> open() {
        return api.list("/v1/handoffs?fresh=true&session=" + session);
    }

    private void awaitStatus(String status) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> open().stream()
                        .anyMatch(row -> row.path("status").asText().equals(status)));
    }

    private Message awaitText(String part) {
        return chat.awaitAnswer(message -> message.text().contains(part), SOON);
    }

    @Test
    @Tag("B280")
    @Tag("B281")
    @Tag("B285")
    void operatorTakesAChatFromTheWorklistAndReturnsIt() {
        // Given
        chat.says("!say Hello.");
        awaitText("Hello.");
        chat.says("/human the bill is wrong");
        awaitText("A person was asked for");
        chat.says("it says 900");
        awaitStatus("asked");

        // When
        Awaitility.await()
                .atMost(SOON)
                .until(() -> open().getFirst().path("waiting").asInt() == 1);
        List<JsonNode> tasks = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> olga.list("/v1/tasks?fresh=true").stream()
                                .filter(task -> task.path("session").asText().equals(session))
                                .toList(),
                        found -> found.size() == 1);
        assertEquals(
                "the bill is wrong", tasks.getFirst().at("/question/reason").asText());
        String task = tasks.getFirst().path("id").asText();
        assertEquals(
                200,
                olga.post("/v1/tasks/" + task + "/complete", Map.of("value", "take"))
                        .status());

        // Then
        awaitText("👤 olga answers now");
        awaitStatus("taken");
        assertEquals(
                "handoff_taken", oskar.post(path + "/handoff/take", Map.of()).code());

        // When
        Api.Answer answer = olga.post(path + "/messages?wait=30s", Map.of("text", "It is 90, sorry."));

        // Then
        assertEquals(200, answer.status(), answer.text());
        awaitText("👤 olga\nIt is 90, sorry.");
        List<JsonNode> turns = api.list("/v1/turns?fresh=true&session=" + session);
        assertTrue(
                turns.stream()
                        .anyMatch(row -> row.at("/turn/text").asText().equals("it says 900")
                                && row.at("/turn/reply").asText().contains("It is 90")),
                turns.toString());

        // When
        chat.says("!echo");
        assertEquals(
                202,
                olga.post(path + "/handoff/return", Map.of("reason", "solved")).status());

        // Then the agent answers what waits
        awaitText("The assistant answers again.");
        Awaitility.await().atMost(SOON).until(() -> open().isEmpty());
        String metrics = api.get("/prometheus").text();
        assertTrue(metrics.contains("parley_handoffs_total{change=\"returned\"}"));
        assertTrue(metrics.contains("parley_handoff_wait_seconds_count{change=\"taken\"}"));
        assertTrue(api.list("/v1/audit?source=handoff").stream()
                .anyMatch(row -> row.path("comment").asText().equals("solved")));
    }

    @Test
    @Tag("B281")
    void filesOfTheOperatorReachTheChat() {
        // Given
        chat.says("!say Hello.");
        awaitText("Hello.");
        assertEquals(
                202,
                olga.post(path + "/handoff/take", Map.of("name", "Olga of Sales"))
                        .status());
        awaitText("👤 Olga of Sales answers now");

        // When
        String data = Base64.getEncoder().encodeToString("90".getBytes(StandardCharsets.UTF_8));
        Api.Answer sent = olga.post(
                path + "/messages",
                Map.of(
                        "parts",
                        List.of(Map.of("kind", "file", "name", "bill.txt", "mimeType", "text/plain", "data", data))));

        // Then
        assertEquals(202, sent.status(), sent.text());
        chat.awaitAnswer(message -> message.file() != null, SOON);
        olga.post(path + "/handoff/return", Map.of());
    }

    @Test
    @Tag("B282")
    void rightsAreCheckedAndBadInputIsExplained() {
        // Given
        chat.says("!say Hello.");
        awaitText("Hello.");

        // Then
        for (String step : List.of("", "/take", "/return")) {
            assertEquals(404, bob.post(path + "/handoff" + step, Map.of()).status(), step);
        }
        assertEquals(
                "invalid_name",
                olga.post(path + "/handoff/take", Map.of("name", " ")).code());
        assertEquals(
                "invalid_name",
                olga.post(path + "/handoff/take", Map.of("name", "x".repeat(101)))
                        .code());
        assertEquals(
                "invalid_minutes",
                olga.post(path + "/handoff/take", Map.of("minutes", 0)).code());
        assertEquals(
                "invalid_reason",
                olga.post(path + "/handoff", Map.of("reason", "x".repeat(2_001)))
                        .code());
        assertEquals(404, olga.post("/v1/sessions/nowhere/handoff", Map.of()).status());
        assertEquals("invalid_status", olga.get("/v1/handoffs?status=open").code());
        assertEquals(
                400, olga.post(path + "/handoff/take", Map.of("force", true)).status());
        assertTrue(open().isEmpty());
    }

    @Test
    @Tag("B283")
    void personInTheChatDoesWithoutAnOperatorAgain() {
        // Given
        chat.says("/human");
        awaitText("Write to me first");
        chat.says("!say Hello.");
        awaitText("Hello.");
        chat.says("/human");
        awaitText("A person was asked for");
        chat.says("!say still here");

        // When
        chat.says("/human off");

        // Then
        awaitText("still here");
    }
}
