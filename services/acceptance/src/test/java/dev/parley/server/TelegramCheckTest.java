package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.telegram.FakeTelegram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code channel telegram check} and {@code doctor} for Telegram bots. */
class TelegramCheckTest {
    private static final String TOKEN = "123456:AAbot-token_0123456789";
    private static final String HOOKED = "654321:AAhooked-token_0123456789";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private FakeTelegram telegram;

    @BeforeEach
    void start() throws IOException {
        telegram = new FakeTelegram();
        telegram.bot(TOKEN, "parley_bot");
        telegram.bot(HOOKED, "hooked_bot");
        Files.writeString(folder.resolve("token"), TOKEN + "\n");
        Files.writeString(folder.resolve("hooked"), HOOKED + "\n");
        Files.writeString(folder.resolve("parley.yml"), """
                telegram:
                  - { name: telegram, token: "file:%1$s/token", apiUrl: "%2$s", allowAll: true }
                  - { name: hooked, token: "file:%1$s/hooked", apiUrl: "%2$s", allowAll: true, webhook: "https://parley.example" }
                """.formatted(folder, telegram.url()));
    }

    @AfterEach
    void stop() {
        telegram.close();
    }

    /** Runs a command and checks that its output has no token. */
    private int run(String... arguments) {
        var environment = Map.of(
                "PARLEY_CONFIG", folder.resolve("parley.yml").toString(),
                "PARLEY_DATA", folder.resolve("data").toString());
        int status = Parley.commandLine(environment, Program.installed())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        String output = out.toString() + err;
        assertFalse(output.contains("AAbot") || output.contains("AAhooked"), output);
        return status;
    }

    private int check(String... options) {
        var arguments = new ArrayList<>(List.of("channel", "telegram", "check"));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private void call(String token, String method, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(telegram.url() + "/bot" + token + "/" + method))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
        }
    }

    private void assertOutput(String text) {
        assertTrue(out.toString().contains(text), out.toString() + err);
    }

    @Test
    void correctlyConfiguredBotPasses() {
        // When
        int status = check("--bot", "telegram");

        // Then
        assertEquals(0, status, out.toString() + err);
        assertOutput("@parley_bot, id 123456");
        assertOutput("privacy mode is off");
        assertOutput("no webhook, as it fetches its messages; no updates wait");
        assertOutput(
                "its commands are not registered (agents, forget, help, human, link, model, new, reminders, status, stop, tasks, todo, undo, unlink missing)");
        assertFalse(out.toString().contains("hooked"), out.toString());
    }

    @Test
    void showsRegisteredCommandsAndWebhooks() throws IOException, InterruptedException {
        // Given
        call(TOKEN, "setMyCommands", """
                {"commands": [{"command": "help", "description": "a"}, {"command": "new", "description": "a"},
                 {"command": "stop", "description": "a"}, {"command": "status", "description": "a"},
                 {"command": "model", "description": "a"}, {"command": "agents", "description": "a"},
                 {"command": "undo", "description": "a"}, {"command": "forget", "description": "a"},
                 {"command": "link", "description": "a"},
                 {"command": "todo", "description": "a"}, {"command": "reminders", "description": "a"}, {"command": "human", "description": "a"}, {"command": "tasks", "description": "a"}, {"command": "unlink", "description": "a"}]}""");
        call(HOOKED, "setWebhook", "{\"url\": \"https://parley.example/telegram/hooked\"}");

        // When
        int status = check();

        // Then
        assertEquals(0, status, out.toString() + err);
        assertOutput("its commands are registered");
        assertOutput("webhook https://parley.example/telegram/hooked; no updates wait");
    }

    @Test
    void reportsAnUnexpectedOrMissingWebhook() throws IOException, InterruptedException {
        // Given
        call(TOKEN, "setWebhook", "{\"url\": \"https://other.example/bot" + TOKEN + "/" + HOOKED + "\"}");

        // When
        int status = check();

        // Then
        assertEquals(1, status);
        assertOutput("the webhook https://other.example/bot…/… is set, but this bot fetches its messages");
        assertOutput("no webhook is set, but this bot receives its messages by webhook");
        assertOutput("2 problems.");
    }

    @Test
    void reportsAnInvalidTokenInOneLine() throws IOException {
        // Given
        telegram.revoke(TOKEN);
        Files.delete(folder.resolve("hooked"));

        // When
        int status = check();

        // Then
        assertEquals(1, status);
        assertOutput("Telegram rejects its token file:");
        assertOutput("its token: the key file:" + folder.resolve("hooked") + " is missing or empty");
        assertEquals(5, out.toString().lines().count(), out.toString());
    }

    @Test
    void reportsThatTelegramIsUnreachable() {
        // Given
        telegram.close();

        // When
        int status = check("--bot", "telegram");

        // Then
        assertEquals(1, status);
        assertOutput("Telegram cannot be reached at " + telegram.url());
    }

    @Test
    void reportsAnUnknownBot() {
        assertEquals(1, check("--bot", "nobody"));
        assertOutput("The settings have no bot 'nobody'.");
    }

    @Test
    void doctorPrintsALineForEachBot() {
        // When
        run("doctor");

        // Then
        assertOutput("  ok   telegram: 'telegram' @parley_bot, id 123456; ");
        assertOutput("  !!   telegram: 'hooked' no webhook is set, but this bot receives its messages by webhook");
    }

    @Test
    void printsItsUsage() {
        assertEquals(0, check("--help"));
        assertOutput("Usage: parley channel telegram check");
        assertOutput("--bot=NAME");
    }
}
