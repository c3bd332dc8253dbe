package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.HttpDouble.Seen;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The channel contract for webhooks, and tests of their own features. */
class WebhookIT extends SendingChannelContract {
    private static final String SECRET = "whsec-0123456789abcdef";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private HookReceiver receiver;

    @Override
    String begin(Path folder) throws IOException {
        receiver = new HookReceiver(SECRET);
        Files.writeString(folder.resolve("secret"), SECRET);
        Files.writeString(folder.resolve("broken"), "two words");
        return """
            permissions:
              - { tool: make, action: allow }
            tools: { allowedHosts: [{ host: 127.0.0.1, hosts: [default], projects: ["*"] }] }
            webhooks:
              - { name: slackish, url: "%2$s", secret: "file:%1$s/secret", allowAll: true }
              - { name: live, url: "%2$s", secret: "file:%1$s/secret", allowAll: true, stream: true }
              - { name: closed, url: "%2$s", secret: "file:%1$s/secret", allowedUsers: [U7] }
              - { name: broken, url: "%2$s", secret: "file:%1$s/broken", allowAll: true }
            """.formatted(folder, receiver.url());
    }

    @Override
    void connected(Api api) {
        Awaitility.await().atMost(SOON).until(() -> api.get("/health/ready").status() == 200);
    }

    @Override
    void end() {
        receiver.close();
    }

    @AfterEach
    void requestsWereAsDocumented() {
        receiver.clearFaults();
        assertEquals(List.of(), receiver.complaints());
    }

    // ---- the contract

    @Override
    Closable conversation() {
        return new Talk("C" + UUID.randomUUID());
    }

    private final class Talk implements Closable {
        private final String chat;
        private String last = "";
        private HttpResponse<String> answer;

        Talk(String chat) {
            this.chat = chat;
        }

        @Override
        public String session() {
            return "slackish:" + chat;
        }

        @Override
        public Runnable says(String text) {
            String body = message(chat).put("text", text).toString();
            last = body;
            answer = post("slackish", body);
            return () ->
                    assertTrue(Set.of(200, 202).contains(post("slackish", body).statusCode()));
        }

        @Override
        public void awaitNotTaken() {
            assertEquals(503, answer.statusCode(), answer.body());
            assertTrue(answer.headers().firstValue("Retry-After").isPresent());
        }

        @Override
        public void comesAgain() {
            if (answer.statusCode() >= 300) {
                answer = post("slackish", last);
            }
        }

        @Override
        public List<String> shown() {
            return texts(chat);
        }

        @Override
        public void closes() {
            receiver.closes(chat);
        }
    }

    @Override
    void failsNext(int times, int status, String message) {
        for (int i = 0; i < times; i++) {
            receiver.fault(status, message, 0);
        }
    }

    @Override
    void isTooFast(Duration wait) {
        receiver.fault(429, "", wait.toSeconds());
    }

    @Override
    void cutsNext() {
        receiver.fault(0, "", 0);
    }

    @Override
    String secret() {
        return SECRET;
    }

    private List<String> texts(String chat) {
        return receiver.messages(chat).stream()
                .map(message -> message.path("text").asText())
                .toList();
    }

    private static ObjectNode message(String chat) {
        ObjectNode json =
                JSON.createObjectNode().put("id", UUID.randomUUID().toString()).put("chat", chat);
        json.putObject("user").put("id", "U1").put("name", "Ann");
        return json;
    }

    private HttpResponse<String> post(String name, String body) {
        return post(name, body, HookReceiver.sign(SECRET, Instant.now().getEpochSecond(), body));
    }

    private HttpResponse<String> post(String name, String body, String signature) {
        var request = HttpRequest.newBuilder(URI.create(api.url() + "/hooks/" + name))
                .timeout(SOON)
                .header("Content-Type", "application/json")
                .header("Parley-Signature", signature)
                .POST(BodyPublishers.ofString(body));
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static void assertTaken(int status) {
        assertTrue(status == 202 || status == 200, "it is taken, or answered already: " + status);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return Api.json(answer.body());
    }

    // ---- inbound

    @Test
    @Tag("P54")
    void repeatedIdIsOneTurnAndTheReplyRefersToIt() {
        // Given
        ObjectNode message = message("C-same").put("text", "!delay 1s\n!say hello");
        HttpResponse<String> first = post("slackish", message.toString());
        assertTaken(first.statusCode());
        Awaitility.await().atMost(SOON).until(() -> texts("C-same").equals(List.of("hello")));

        // When
        HttpResponse<String> repeated = post("slackish", message.toString());

        // Then
        assertEquals(json(first), json(repeated));
        JsonNode reply = receiver.messages("C-same").getFirst();
        assertEquals(message.path("id"), reply.path("replyTo"));
        assertEquals(json(first).path("turn"), reply.path("turn"));
        JsonNode session = api.get("/v1/sessions/slackish:C-same").json();
        assertEquals("webhook", session.path("channel").asText(), session.toString());
        assertEquals("webhook:U1", session.path("user").asText());
        assertFalse(receiver.seen("typing").isEmpty());
    }

    @Test
    @Tag("P3")
    void chatTopicsAreSeparateSessions() {
        // Given
        post(
                "slackish",
                message("C-topics")
                        .put("topic", "1.5")
                        .put("text", "My name is Ada")
                        .toString());
        Awaitility.await().atMost(SOON).until(() -> texts("C-topics").size() == 1);

        // When
        post(
                "slackish",
                message("C-topics")
                        .put("topic", "2.5")
                        .put("text", "What is my name?")
                        .toString());

        // Then
        Awaitility.await().atMost(SOON).until(() -> texts("C-topics").size() == 2);
        JsonNode other = receiver.messages("C-topics").getLast();
        assertEquals("2.5", other.path("topic").asText());
        assertFalse(other.path("text").asText().contains("Ada"));
    }

    @Test
    @Tag("P41")
    @Tag("P43")
    void rejectsInvalidSignaturesAndUnadmittedUsers() {
        // Given
        String body = message("C-refused").put("text", "hi").toString();
        long now = Instant.now().getEpochSecond();

        // Then
        assertEquals(401, post("slackish", body, "").statusCode());
        assertEquals(
                401,
                post("slackish", body, HookReceiver.sign("guessed", now, body)).statusCode());
        assertEquals(
                401,
                post("slackish", body + " ", HookReceiver.sign(SECRET, now, body))
                        .statusCode());
        assertEquals(
                401,
                post("slackish", body, HookReceiver.sign(SECRET, now - 301, body))
                        .statusCode());
        assertEquals(401, post("nobody", body).statusCode());
        assertEquals(401, post("broken", body).statusCode());
        assertEquals(403, post("closed", body).statusCode());
        assertEquals(404, api.get("/v1/sessions/slackish:C-refused").status());
        assertEquals(404, api.get("/v1/sessions/closed:C-refused").status());
    }

    @Test
    @Tag("O11")
    void rateLimitRejectsMessages() {
        // Given
        String limit = "{\"turnsPerMinute\":1}";
        assertEquals(
                200, api.send("PUT", "/v1/settings/budget", limit, Map.of()).status());

        // When
        int first = post("slackish", message("C-often").put("text", "hi").toString())
                .statusCode();
        var second = post("slackish", message("C-often").put("text", "hi").toString());

        // Then
        assertEquals(204, api.delete("/v1/settings/budget").status());
        assertTaken(first);
        assertEquals(429, second.statusCode());
        assertEquals("too_many_turns", json(second).path("code").asText());
        assertTrue(second.headers().firstValue("Retry-After").isPresent());
        Awaitility.await().atMost(SOON).until(() -> !texts("C-often").isEmpty()); // later tests set faults
    }

    @ParameterizedTest
    @Tag("O11")
    @CsvSource(delimiter = '|', textBlock = """
        {"id":"1","chat":"C","user":{"id":"U"},"text":"x","extra":1}     | unknown_field
        {"id":"1","chat":"C","user":{"id":"U","extra":1},"text":"x"}     | unknown_field
        {"chat":"C","user":{"id":"U"},"text":"x"}                        | missing_field
        {"id":"1","chat":"C","text":"x"}                                 | missing_field
        {"id":"1","chat":"C","user":{"id":"U"}}                          | missing_field
        {"id":"1","chat":"C:D","user":{"id":"U"},"text":"x"}             | invalid_field
        {"id":"1","chat":"C","topic":"","user":{"id":"U"},"text":"x"}    | invalid_field
        {"id":1,"chat":"C","user":{"id":"U"},"text":"x"}                 | bad_request
        {"id":"1","chat":"C","user":{"id":"U"},"text":"x","mode":"fast"} | invalid_mode
        {"id":"1","chat":"C","user":{"id":"U"},"parts":[null]}           | invalid_part
        {"id":"1","chat":"C","user":{"id":"U"},"command":"reboot"}       | invalid_command
        {"id":"1","chat":"C","user":{"id":"U"},"text":"\\ud800"}         | invalid_text
        []                                                               | bad_request
        null                                                             | bad_request
        {"id":                                                           | bad_request
        """)
    void rejectsAnInvalidMessage(String body, String code) {
        HttpResponse<String> answer = post("slackish", body);

        assertEquals(400, answer.statusCode(), answer.body());
        assertEquals(code, json(answer).path("code").asText());
        assertEquals(
                "application/problem+json",
                answer.headers().firstValue("Content-Type").orElse(""));
    }

    @Test
    @Tag("P42")
    void receivesFiles() {
        // Given
        byte[] csv = "a,b\n".getBytes(StandardCharsets.UTF_8);
        ObjectNode message = message("C-files");
        var parts = message.putArray("parts");
        parts.addObject().put("kind", "text").put("text", "!say got it");
        parts.addObject()
                .put("kind", "file")
                .put("name", "n.csv")
                .put("mimeType", "text/csv")
                .put("data", Base64.getEncoder().encodeToString(csv));

        // When
        assertTaken(post("slackish", message.toString()).statusCode());

        // Then
        Awaitility.await().atMost(SOON).until(() -> texts("C-files").equals(List.of("got it")));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/sessions/slackish:C-files/messages?role=user")
                        .text()
                        .contains("n.csv"));
    }

    @Test
    @Tag("P45")
    @Tag("P46")
    @Tag("P47")
    void commandsStopUndoAndStartANewSession() {
        // Given
        post("slackish", message("C-commands").put("text", "!stream 60s").toString());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !receiver.seen("typing").isEmpty()
                        && api.get("/v1/sessions/slackish:C-commands").status() == 200);

        // Then the turn can be stopped once
        HttpResponse<String> stop =
                post("slackish", message("C-commands").put("command", "stop").toString());
        assertEquals(202, stop.statusCode(), stop.body());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/sessions/slackish:C-commands/turns").stream()
                        .anyMatch(turn -> turn.path("state").asText().equals("CANCELLED")));
        Awaitility.await().atMost(SOON).until(() -> !texts("C-commands").isEmpty()); // later tests set faults
        HttpResponse<String> idle =
                post("slackish", message("C-commands").put("command", "stop").toString());
        assertEquals(409, idle.statusCode(), idle.body());
        assertEquals("no_active_turn", json(idle).path("code").asText());

        // Then it can be undone once
        HttpResponse<String> undo =
                post("slackish", message("C-commands").put("command", "undo").toString());
        assertEquals(202, undo.statusCode(), undo.body());
        HttpResponse<String> repeated =
                post("slackish", message("C-commands").put("command", "undo").toString());
        assertEquals("nothing_to_undo", json(repeated).path("code").asText(), repeated.body());

        // Then a new session starts
        assertEquals(
                202,
                post("slackish", message("C-commands").put("command", "new").toString())
                        .statusCode());
        assertEquals(
                202,
                post("slackish", message("C-nowhere").put("command", "new").toString())
                        .statusCode());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/sessions/slackish:C-commands")
                                .json()
                                .path("epoch")
                                .asInt()
                        == 1);
    }

    // ---- outbound

    @Test
    void sendsTheBytesOfAnAgentsFile() {
        // Given
        receiver.fault(0, "", 0);

        // When
        post(
                "slackish",
                message("C-made")
                        .put("text", "!call send_file {\"name\":\"ü.csv\",\"content\":\"a,ü\"}\n!then\n!say sent")
                        .toString());

        // Then
        Awaitility.await().atMost(SOON).until(() -> texts("C-made").equals(List.of("", "sent")));
        JsonNode files = receiver.messages("C-made").getFirst().path("files");
        assertEquals(
                JSON.createArrayNode()
                        .add(JSON.createObjectNode()
                                .put("name", "ü.csv")
                                .put("mimeType", "text/csv")
                                .put("size", 4)
                                .put(
                                        "data",
                                        Base64.getEncoder().encodeToString("a,ü".getBytes(StandardCharsets.UTF_8))))
                        .toString(),
                files.toString());
        assertEquals(
                2,
                receiver.seen("message").stream()
                        .filter(message -> message.path("chat").asText().equals("C-made"))
                        .filter(message -> !message.path("files").isEmpty())
                        .count(),
                "it is sent again under its id");
    }

    @Test
    void streamedReplyKeepsIntermediateMessages() {
        post(
                "live",
                message("C-middle")
                        .put(
                                "text",
                                "!say I look for it, and that may take a while, so wait\n"
                                        + "!call message {\"text\":\"I begin\"}\n"
                                        + "!then\n"
                                        + "!delay 1s\n"
                                        + "!say done")
                        .toString());

        Awaitility.await().atMost(SOON).until(() -> texts("C-middle").equals(List.of("I begin", "done")));
    }

    @Test
    void reportsATooLargeFileInText() {
        // When
        post(
                "live",
                message("C-large")
                        .put(
                                "text",
                                "!call make"
                                        + " {\"files\":[{\"name\":\"big.zip\",\"size\":6000000},{\"name\":\"b.zip\",\"size\":3}]}\n"
                                        + "!then\n"
                                        + "!say sent")
                        .toString());

        // Then
        var last = List.of("📎 big.zip is too large to be sent here (5.7 MB).", "", "sent");
        Awaitility.await().atMost(SOON).untilAsserted(() -> {
            List<String> texts = texts("C-large");
            assertEquals(last, texts.subList(Math.max(0, texts.size() - 3), texts.size()), texts.toString());
        });
    }

    @Test
    void editsTheReplyWhileItStreamsIfConfigured() {
        // When
        post("live", message("C-live").put("text", "!stream 60 words over 5s").toString());

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/sessions/live:C-live/turns").stream()
                        .anyMatch(turn -> turn.path("state").asText().equals("COMPLETED")));
        String reply = api.list("/v1/sessions/live:C-live/turns")
                .getFirst()
                .path("reply")
                .asText();
        Awaitility.await().atMost(SOON).until(() -> texts("C-live").equals(List.of(reply)));
        assertTrue(receiver.seen("edit").size() > 2);
    }

    // ---- bots of projects

    private static final String BOTS = "/v1/projects/default/bots";

    private Map<String, Object> botRequest(String name, String secret, String url) {
        return Map.of("name", name, "kind", "webhook", "token", secret, "url", url, "allowAll", true);
    }

    private int submit(String bot, String secret, String chat, String text) {
        String body = message(chat).put("text", text).toString();
        return post(bot, body, HookReceiver.sign(secret, Instant.now().getEpochSecond(), body))
                .statusCode();
    }

    @Test
    @Tag("I145")
    @Tag("I147")
    void projectBotWorksAtOnceUntilRemoved() throws IOException {
        // Given
        String project = api.project("shop");
        String bots = "/v1/projects/" + project + "/bots";

        // When
        Api.Answer created = api.post(bots, botRequest("shopbot", SECRET, receiver.url()));

        // Then
        assertEquals(201, created.status(), created.text());
        assertEquals("project", created.json().path("managedBy").asText());
        assertEquals(
                SECRET.substring(SECRET.length() - 4),
                created.json().path("tokenEndsWith").asText());
        assertTaken(submit("shopbot", SECRET, "C-shop", "!say sold"));
        Awaitility.await().atMost(SOON).until(() -> texts("C-shop").equals(List.of("sold")));
        assertEquals(
                200,
                api.get("/v1/projects/" + project + "/sessions/shopbot:C-shop").status(),
                "in its project");
        String sealed = whole.instance()
                .beans()
                .getBean(Database.class)
                .in(
                        Tenant.ALL,
                        transaction -> transaction.query(
                                "SELECT string_agg(b::text, ' ') FROM channels.project_bot_t b",
                                row -> row.next() ? row.getString(1) : ""));
        for (String text : List.of(
                created.text(), api.get(bots).text(), api.get(bots + "/shopbot").text(), sealed)) {
            assertTrue(text.contains("shopbot") && !text.contains(SECRET), "its secret is nowhere");
        }

        // When its secret and its address change
        String next = "whsec-another-0123456789";
        try (var other = new HookReceiver(next)) {
            assertEquals(428, change(bots + "/shopbot", null, next, other.url()).status());
            assertEquals(
                    412, change(bots + "/shopbot", "\"77\"", next, other.url()).status());
            Api.Answer changed = change(bots + "/shopbot", created.etag(), next, other.url());
            assertEquals(200, changed.status(), changed.text());
            assertEquals(401, submit("shopbot", SECRET, "C-shop", "!say old"));
            assertTaken(submit("shopbot", next, "C-shop2", "!say new"));
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> !other.messages("C-shop2").isEmpty());
            assertEquals(List.of(), other.complaints());

            // When it is removed
            assertEquals(204, api.delete(bots + "/shopbot").status());
            assertEquals(401, submit("shopbot", next, "C-shop", "!say gone"));
        }
        assertEquals(List.of(), api.list(bots));
        assertEquals(404, api.delete(bots + "/shopbot").status());
        assertEquals(
                "bot_name_taken",
                api.post(BOTS, botRequest("shopbot", SECRET, receiver.url())).code());
        assertEquals(
                201,
                api.post(bots, botRequest("shopbot", SECRET, receiver.url())).status(),
                "its project's alone");
        assertTaken(submit("shopbot", SECRET, "C-shop3", "!say back"));
        Awaitility.await().atMost(SOON).until(() -> texts("C-shop3").equals(List.of("back")));
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(
                        List.of("create", "delete", "update", "create"),
                        api.list("/v1/audit?source=bot").stream()
                                .filter(entry -> entry.path("success").asBoolean()
                                        && entry.path("subject").asText().equals("shopbot"))
                                .map(entry -> entry.path("action").asText())
                                .toList()));
    }

    private Api.Answer change(String path, String version, String secret, String url) {
        return api.send(
                "PUT",
                path,
                Map.of("token", secret, "url", url, "allowAll", true),
                version == null ? Map.of() : Map.of("If-Match", version));
    }

    @Test
    @Tag("I146")
    void hidesBotsFromNonMembersAndProtectsConfiguredOnes() {
        // Given
        String name = "u" + UUID.randomUUID().toString().replace("-", "");
        api.post("/v1/auth/register", Map.of("username", "first-" + name)); // may become administrator
        api.post("/v1/auth/register", Map.of("username", name, "password", "correct horse battery"));
        String token;
        try (var browser = new Browser(api.url())) {
            token = browser.login(name, "correct horse battery").path("token").asText();
        }
        var somebody = new Api(api.url(), token);
        String project = somebody.project("own");
        String ownBots = "/v1/projects/" + project + "/bots";
        String theirs = "/v1/projects/" + api.project("theirs") + "/bots";
        assertEquals(
                201,
                api.post(theirs, botRequest("theirs", SECRET, receiver.url())).status());

        // Then
        assertEquals(404, somebody.get(theirs).status());
        assertEquals(
                404,
                somebody.post(theirs, botRequest("mine", SECRET, receiver.url()))
                        .status());
        assertEquals(404, somebody.delete(theirs + "/theirs").status());
        assertEquals(404, somebody.get(ownBots + "/theirs").status());
        assertEquals(404, somebody.delete(ownBots + "/theirs").status());
        assertEquals(404, somebody.get("/v1/bots/theirs/deliveries").status());
        assertEquals(404, somebody.get(theirs.replace("/bots", "/webhooks")).status());
        assertEquals(
                "bot_name_taken",
                somebody.post(ownBots, botRequest("theirs", SECRET, receiver.url()))
                        .code());
        assertEquals(
                "bot_name_taken",
                somebody.post(ownBots, botRequest("slackish", SECRET, receiver.url()))
                        .code());
        assertEquals(
                "invalid_url",
                somebody.post(ownBots, botRequest("mine", SECRET, "https://169.254.169.254/latest"))
                        .code());
        assertEquals(
                "forbidden",
                somebody.post(
                                ownBots,
                                Map.of(
                                        "name",
                                        "mine",
                                        "kind",
                                        "telegram",
                                        "token",
                                        "42:mine-token_0123456789",
                                        "url",
                                        receiver.url()))
                        .code(),
                "where Telegram is, an administrator says");
        assertEquals(
                201,
                somebody.post(ownBots, botRequest("mine", SECRET, receiver.url()))
                        .status());

        // And a bot of the configuration
        var slackish = api.list(BOTS).stream()
                .filter(row -> row.path("name").asText().equals("slackish"))
                .findFirst()
                .orElseThrow();
        assertEquals("configuration", slackish.path("managedBy").asText());
        assertEquals("bot_configured", api.delete(BOTS + "/slackish").code());
        assertEquals(
                "bot_configured",
                change(BOTS + "/slackish", "*", SECRET, receiver.url()).code());
    }

    // ---- project events

    @Test
    @Tag("I148")
    @Tag("I149")
    void sendsSignedProjectEventsAndRetries() throws Exception {
        try (var other = new HttpDouble()) {
            // Given
            other.answers(
                    HttpDouble.json(503, "{}"),
                    HttpDouble.json(200, "{}"),
                    HttpDouble.json(204, ""),
                    HttpDouble.json(410, "{}"));
            String project = api.project("told");
            String hooks = "/v1/projects/" + project + "/webhooks";
            assertEquals(
                    "invalid_url",
                    api.post(hooks, Map.of("url", "https://10.0.0.1/in")).code());
            Api.Answer created =
                    api.create(hooks, Map.of("url", other.url() + "/in", "events", List.of("turn.completed")));
            String secret = created.json().path("secret").asText();
            String hook = hooks + "/" + created.json().path("id").asText();
            assertTrue(api.get(hook).json().path("secret").isNull(), "it is shown once");

            // When
            api.turn("/v1/projects/" + project + "/sessions/a", Map.of("text", "!say private words"));

            // Then
            Awaitility.await().atMost(SOON).until(() -> other.seen().size() == 2);
            Seen first = other.seen().get(0);
            Seen second = other.seen().get(1);
            assertEquals(first.header("webhook-id"), second.header("webhook-id"));
            assertEquals(first.body(), second.body());
            JsonNode body = JSON.readTree(second.body());
            assertEquals("turn.completed", body.path("type").asText());
            assertEquals("a", body.path("data").path("session").asText());
            assertFalse(second.body().contains("private"), second.body());
            assertTrue(isSigned(second, secret));
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> api.list(hook + "/deliveries")
                            .getFirst()
                            .path("state")
                            .asText()
                            .equals("delivered"));
            assertEquals(
                    2,
                    api.list(hook + "/deliveries").getFirst().path("attempts").asInt());

            // When its secret changes
            String next =
                    api.post(hook + "/secret", Map.of()).json().path("secret").asText();
            assertEquals(202, api.post(hook + "/test", Map.of()).status());

            // Then
            Awaitility.await().atMost(SOON).until(() -> other.seen().size() == 3);
            assertTrue(
                    isSigned(other.seen().get(2), secret)
                            && isSigned(other.seen().get(2), next),
                    "both sign");

            // When the receiver is gone
            assertEquals(202, api.post(hook + "/test", Map.of()).status());

            // Then
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> !api.get(hook).json().path("enabled").asBoolean());
            Api.Answer disabled = api.get(hook);
            assertTrue(disabled.json().path("problem").asText().contains("410"), disabled.text());
            assertEquals("webhook_disabled", api.post(hook + "/test", Map.of()).code());
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> api.get("/v1/audit?source=webhook").text().contains("disable"));
            Api.Answer enabled =
                    api.send("PUT", hook, Map.of("url", other.url() + "/in"), Map.of("If-Match", disabled.etag()));
            assertEquals(200, enabled.status(), enabled.text());
            assertTrue(enabled.json().path("enabled").asBoolean());
            assertEquals("[\"*\"]", enabled.json().path("events").toString());
            assertEquals(204, api.delete(hook).status());
            assertEquals(404, api.get(hook).status());
        }
    }

    @Test
    @Tag("I150")
    void projectEventStreamResumesAfterTheLastEventId() throws Exception {
        // Given
        String project = api.project("watched");
        String events = "/v1/projects/" + project + "/events?events=turn.completed";
        assertEquals(
                "invalid_event_id", api.get(events + "&lastEventId=yesterday").code());
        assertEquals("invalid_event_id", api.get(events + "&lastEventId=1_1").code());
        assertEquals("invalid_events", api.get(events + ",nothing").code());

        // When
        var reply = new String[1];
        StreamEvent first = watch(events, null, () -> {
            reply[0] = api.say("elsewhere", "!say elsewhere").path("reply").asText();
            api.turn("/v1/projects/" + project + "/sessions/a", Map.of("text", "!say private words"));
        });
        api.turn("/v1/projects/" + project + "/sessions/b", Map.of("text", "!say others"));
        StreamEvent second = watch(events, first.id(), () -> {});

        // Then
        assertEquals("elsewhere", reply[0]);
        assertEquals("a", first.data().path("session").asText());
        assertFalse(first.data().toString().contains("private"));
        assertEquals(
                "b", second.data().path("session").asText(), "what came while nobody read comes, and nothing twice");
    }

    /** An event of a stream, and its id. */
    private record StreamEvent(String id, JsonNode data) {}

    /**
     * The first event of a project's stream.
     *
     * @param action runs once the stream is open
     */
    private StreamEvent watch(String path, @Nullable String after, Runnable action) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(api.url() + path))
                .header("Authorization", "Bearer " + api.key())
                .timeout(SOON);
        if (after != null) {
            request.header("Last-Event-ID", after);
        }
        String id = "";
        String event = "";
        try (Stream<String> lines =
                http.send(request.build(), BodyHandlers.ofLines()).body()) {
            for (String line : (Iterable<String>) lines::iterator) {
                if (line.startsWith("event: ")) {
                    event = line.substring("event: ".length());
                } else if (line.startsWith("id: ")) {
                    id = line.substring("id: ".length());
                } else if (line.startsWith("data: ") && event.equals("open")) {
                    action.run();
                } else if (line.startsWith("data: ")) {
                    return new StreamEvent(
                            id, JSON.readTree(line.substring("data: ".length())).path("data"));
                }
            }
        }
        throw new AssertionError("the stream ended");
    }

    @Test
    @Tag("I148")
    @Tag("B107")
    void libraryOfStandardWebhooksVerifiesWhatAReceiverGets(@TempDir Path folder) throws Exception {
        try (var other = new HttpDouble()) {
            // Given
            other.answers(HttpDouble.json(204, ""));
            String hooks = "/v1/projects/" + api.project("verifies") + "/webhooks";
            JsonNode created = api.create(
                            hooks, Map.of("url", other.url() + "/in", "events", List.of("turn.completed")))
                    .json();

            // When
            api.post(hooks + "/" + created.path("id").asText() + "/test", Map.of());

            // Then
            Awaitility.await().atMost(SOON).until(() -> other.seen().size() == 1);
            Seen seen = other.seen().getFirst();
            var headers = JSON.createObjectNode();
            for (String name : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
                headers.put(name, seen.header(name));
            }
            NpmClient.run(folder, "webhooks", created.path("secret").asText(), headers.toString(), seen.body());
        }
    }

    /** Verifies the signature of Standard Webhooks. */
    private static boolean isSigned(Seen request, String secret) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        String signed = request.header("webhook-id") + "." + request.header("webhook-timestamp") + "." + request.body();
        String expected =
                "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        return List.of(request.header("webhook-signature").split(" ")).contains(expected);
    }

    // ---- whose session it is

    private Api member(String project) {
        api.register(Map.of("username", "first-" + UUID.randomUUID(), "password", "correct horse battery"));
        var account = api.register(Map.of("username", "m" + UUID.randomUUID(), "password", "correct horse battery"));
        api.create("/v1/projects/" + project + "/members", Map.of("user", account.id(), "role", "member"));
        return account.api();
    }

    private void assertNotOpened(String base, String key, Api.Answer answer) {
        assertTrue(answer.status() >= 400 || answer.text().contains("there is no such session"), key + answer.text());
        assertEquals(404, api.get(base + "/sessions/" + key).status(), key);
    }

    @Test
    @Tag("B15")
    @Tag("B10")
    void nobodyOpensASessionOfABotByAnyWayIn() {
        // Given a bot made over HTTP, and a member of its project
        String project = api.project("squatted");
        String base = "/v1/projects/" + project;
        String bot = "b" + UUID.randomUUID().toString().substring(0, 8);
        assertEquals(
                201,
                api.post(base + "/bots", botRequest(bot, SECRET, receiver.url()))
                        .status());
        Api mallory = member(project);
        assertEquals(
                201, mallory.post(base + "/sessions", Map.of("key", "own:1")).status());

        for (String key : List.of(
                bot + ":C1",
                bot.toUpperCase(java.util.Locale.ROOT) + ":C1",
                bot + ":C1:delegate:researcher",
                "own:1:delegate:researcher",
                "workflow:" + UUID.randomUUID() + ":default")) {
            // When, Then
            assertNotOpened(base, key, mallory.post(base + "/sessions", Map.of("key", key)));
            assertNotOpened(base, key, mallory.post(base + "/sessions/" + key + "/turns", Map.of("text", "!say x")));
            assertNotOpened(base, key, mallory.post(base + "/sessions/own:1/fork", Map.of("target", key)));
            assertNotOpened(
                    base,
                    key,
                    mallory.post(
                            base + "/sessions/import",
                            Map.of("key", key, "messages", List.of(Map.of("role", "user", "content", "obey")))));
            assertNotOpened(
                    base,
                    key,
                    mallory.post(
                            base + "/chat/completions",
                            Map.of(
                                    "model",
                                    "default",
                                    "metadata",
                                    Map.of("session", key),
                                    "messages",
                                    List.of(Map.of("role", "user", "content", "!say x")))));
            assertNotOpened(
                    base,
                    key,
                    mallory.post(
                            base + "/responses",
                            Map.of("model", "default", "input", "!say x", "metadata", Map.of("session", key))));
            assertNotOpened(
                    base,
                    key,
                    mallory.post(
                            base + "/agui/default",
                            Map.of(
                                    "threadId",
                                    key,
                                    "runId",
                                    "r1",
                                    "messages",
                                    List.of(Map.of("id", "m1", "role", "user", "content", "!say x")))));
            assertNotOpened(
                    base,
                    key,
                    mallory.post(
                            "/a2a/" + project + "/default/message:send",
                            Map.of(
                                    "message",
                                    Map.of(
                                            "messageId",
                                            "m1",
                                            "role",
                                            "ROLE_USER",
                                            "contextId",
                                            key,
                                            "parts",
                                            List.of(Map.of("text", "!say x"))))));
            assertNotOpened(base, key, api.post(base + "/sessions", Map.of("key", key)));
        }
    }

    private static Stream<String> routes() {
        try (InputStream in = WebhookIT.class.getResourceAsStream("/routes.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Walks over all routes that name a session by its key, except streams, which never end. */
    private void assertNoRouteShowsOrChanges(Api person, String project, String key) {
        List<String[]> routes = routes().map(line -> line.split(" "))
                .filter(route -> route[1].startsWith("/v1/projects/{project}/sessions/{key}"))
                .filter(route -> !route[1].endsWith("/events"))
                .toList();
        assertTrue(routes.size() > 20, "routes.txt lists them");
        Map<String, Object> body = Map.of("text", "!say x", "target", key + "-2", "title", "mine", "rules", List.of());
        for (String[] route : routes) {
            String path = route[1].replace("{project}", project)
                    .replace("{key}", key)
                    .replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
            var answer =
                    person.send(route[0], path, Set.of("GET", "DELETE").contains(route[0]) ? null : body, Map.of());
            assertFalse(answer.text().contains("secret"), route[1] + answer.text());
            boolean isEmpty = answer.status() == 200 && answer.text().contains("\"data\":[]");
            assertTrue(answer.status() >= 400 || isEmpty, route[0] + " " + path + ": " + answer.status());
        }
    }

    @Test
    @Tag("B12")
    @Tag("B16")
    void botGoesOnUnderANewSessionWhereAPersonTookItsKey() {
        // Given a session that was taken while there was no bot of this name
        String project = api.project("taken");
        String base = "/v1/projects/" + project;
        String bot = "t" + UUID.randomUUID().toString().substring(0, 8);
        Api mallory = member(project);
        String session = base + "/sessions/" + bot + ":C1";
        assertEquals(
                201,
                mallory.post(base + "/sessions", Map.of("key", bot + ":C1", "title", "mine"))
                        .status());
        mallory.post(session + "/turns", Map.of("text", "!say remember mallory"));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> mallory.list(session + "/turns").size() == 1);
        String former = mallory.get(session).json().path("id").asText();

        // When there is one
        api.post(base + "/bots", botRequest(bot, SECRET, receiver.url()));
        assertEquals(
                1, api.get("/v1/ops/taken-sessions?project=" + project).json().size());
        assertTaken(submit(bot, SECRET, "C1", "!say secret"));

        // Then it has a session of its own, which the other one does not see
        Awaitility.await().atMost(SOON).until(() -> texts("C1").equals(List.of("secret")));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get(session).json().path("epoch").asInt() == 1);
        JsonNode now = api.get(session).json();
        assertFalse(now.path("id").asText().equals(former));
        assertEquals("webhook:U1", now.path("user").asText());
        assertFalse(now.path("title").asText().equals("mine"));
        for (String path : List.of("", "/turns", "/messages", "/history", "/todos", "/live")) {
            var answer = mallory.get(session + path);
            assertFalse(answer.text().contains("secret"), path + ": " + answer.text());
        }
        assertEquals(404, mallory.get(session).status());
        assertEquals(
                404,
                mallory.post(session + "/turns", Map.of("text", "!say more")).status());
        assertEquals(
                0, mallory.get(base + "/search?q=secret").json().path("data").size());
        assertNoRouteShowsOrChanges(mallory, project, bot + ":C1");
        assertEquals(now.path("id").asText(), api.get(session).json().path("id").asText());
        assertEquals("active", api.get(session).json().path("status").asText());
        Awaitility.await() // operators are told
                .atMost(SOON)
                .until(() -> api.get("/v1/audit?source=session").text().contains("take-over"));
    }

    // ---- messages without a question

    @Test
    @Tag("B225")
    @Tag("B229")
    void messagesRepliesAndWorkflowsReachTheChatOfAProjectBot() {
        // Given
        assertEquals(
                201,
                api.post(BOTS, botRequest("herald", SECRET, receiver.url())).status());
        String session = "/v1/sessions/herald:C-post";
        var message = Map.of("text", "The build is red.");
        var once = Map.of("Idempotency-Key", "red");

        // When
        Api.Answer sent = api.post(session + "/messages?wait=30s", message, once);
        api.post(session + "/messages?wait=30s", message, once);

        // Then
        assertEquals(200, sent.status(), sent.text());
        Awaitility.await().atMost(SOON).until(() -> texts("C-post").equals(List.of("The build is red.")));
        assertEquals(
                "assistant",
                api.list(session + "/messages?fresh=true")
                        .getFirst()
                        .path("role")
                        .asText());

        // When
        assertTaken(submit("herald", SECRET, "C-post", "!say which one"));
        Awaitility.await().atMost(SOON).until(() -> texts("C-post").contains("which one"));
        Api.Answer answered = api.post(session + "/turns?wait=60s&deliver=true", Map.of("text", "!say to all"));
        api.postYaml("/v1/workflows", """
            document: { dsl: '1.0.3', namespace: test, name: herald, version: '1.0.0' }
            do: [ { tell: { call: agent, with: { agent: default, session: 'herald:C-post', prompt: '!say from a process' } } } ]
            """);
        api.post("/v1/workflows/test:herald/instances?wait=60s", Map.of());

        // Then
        assertEquals(200, answered.status(), answered.text());
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(
                        List.of("The build is red.", "which one", "to all", "from a process"), texts("C-post")));
        assertEquals(
                "no_chat",
                api.post("/v1/sessions/demo/turns?deliver=true", Map.of("text", "!say x"))
                        .code());
    }

    // ---- reminders

    @Test
    @Tag("B226")
    void reminderReachesTheChatOnceAndOnTime() {
        // Given
        post(
                "slackish",
                message("C-tea")
                        .put("text", "!call remind {\"text\":\"tea\",\"after\":\"PT4S\"}\n!then\n!say ok")
                        .toString());
        Awaitility.await().atMost(SOON).until(() -> texts("C-tea").contains("ok"));

        // When
        JsonNode reminder = api.get("/v1/sessions/slackish:C-tea/reminders")
                .json()
                .path("data")
                .path(0);

        // Then
        assertEquals("tea", reminder.path("text").asText(), reminder.toString());
        Awaitility.await().atMost(SOON).until(() -> texts("C-tea").equals(List.of("ok", "⏰ tea")));
        JsonNode turn = api.list("/v1/sessions/slackish:C-tea/turns?fresh=true").stream()
                .filter(each -> each.path("reply").asText().equals("⏰ tea"))
                .findFirst()
                .orElseThrow();
        Duration late = Duration.between(
                Instant.parse(reminder.path("due").asText()),
                Instant.parse(turn.path("createdAt").asText()));
        assertTrue(!late.isNegative() && late.compareTo(Duration.ofSeconds(1)) < 0, late + " late");
        assertEquals(
                0,
                api.get("/v1/sessions/slackish:C-tea/reminders")
                        .json()
                        .path("data")
                        .size());
    }

    @Test
    @Tag("B227")
    void reminderOfWhoIsNotAdmittedAnyMoreIsRefusedOnRecord() {
        // Given
        String gate = BOTS + "/gate";
        Api.Answer created = api.post(BOTS, botRequest("gate", SECRET, receiver.url()));
        assertEquals(201, created.status(), created.text());
        assertTaken(
                submit("gate", SECRET, "C-gate", "!call remind {\"text\":\"tea\",\"after\":\"PT8S\"}\n!then\n!say ok"));
        Awaitility.await().atMost(SOON).until(() -> texts("C-gate").contains("ok"));

        // When
        Api.Answer changed = api.send(
                "PUT",
                gate,
                Map.of("token", SECRET, "url", receiver.url(), "allowedUsers", List.of("U9")),
                Map.of("If-Match", created.etag()));

        // Then
        assertEquals(200, changed.status(), changed.text());
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(
                        List.of("the person is not admitted to the bot any more"), refusals("gate:C-gate")));
        assertEquals(List.of("ok"), texts("C-gate"));
    }

    /** The recorded reasons for which reminders of a session were not sent. */
    private List<String> refusals(String session) {
        KafkaClients clients = whole.instance().beans().getBean(KafkaClients.class);
        return Records.all(clients, Topics.TURN_EVENTS.name()).stream()
                .map(record -> RecordCodec.read(Topics.TURN_EVENTS, record))
                .filter(TurnEvent.ReminderChanged.class::isInstance)
                .map(TurnEvent.ReminderChanged.class::cast)
                .filter(event -> event.meta().key().session().equals(session))
                .map(TurnEvent.ReminderChanged::reason)
                .filter(Objects::nonNull)
                .toList();
    }
}
