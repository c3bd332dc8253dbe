package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.slack.FakeSlack;
import dev.parley.platform.testkit.slack.SlackChat;
import dev.parley.platform.testkit.slack.SlackChat.Sent;
import dev.parley.platform.testkit.slack.SlackMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The channel contract for Slack in Socket Mode; a second bot in the same process gets its events over HTTP. */
class SlackChannelIT extends SendingChannelContract {
    private static final String TOKEN = "xoxb-1-2-contract-token_0123456789";
    private static final String APP_TOKEN = "xapp-1-contract-token_0123456789";
    private static final String SIGNING_SECRET = "contract-token_0123456789";

    private final HttpClient http = HttpClient.newHttpClient();
    private FakeSlack slack;

    @Override
    String begin(Path folder) throws IOException {
        slack = new FakeSlack(TOKEN, APP_TOKEN);
        Files.writeString(folder.resolve("token"), TOKEN);
        Files.writeString(folder.resolve("app-token"), APP_TOKEN);
        Files.writeString(folder.resolve("signing-secret"), SIGNING_SECRET);
        return """
                permissions:
                  - { tool: time, action: ask }
                slack:
                  - token: "file:%1$s/token"
                    appToken: "file:%1$s/app-token"
                    apiUrl: %2$s
                    allowAll: true
                  - name: brought
                    token: "file:%1$s/token"
                    signingSecret: "file:%1$s/signing-secret"
                    apiUrl: %2$s
                    allowAll: true
                """.formatted(folder, slack.api());
    }

    @Override
    void connected(Api api) {
        Awaitility.await().atMost(SOON).until(() -> slack.connections() > 0);
    }

    @Override
    void end() {
        slack.close();
    }

    @AfterEach
    void nothingWasSentTooFast() {
        assertEquals(List.of(), slack.violations());
    }

    @Override
    Closable conversation() {
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        return new Closable() {
            private Sent last;

            @Override
            public String session() {
                return "slack:" + chat.user();
            }

            @Override
            public Runnable says(String text) {
                Sent sent = chat.says(text);
                last = sent;
                return () -> chat.again(sent);
            }

            @Override
            public void awaitNotTaken() {
                Awaitility.await().atMost(SOON).until(() -> slack.attempts(last.envelope()) >= 2);
                assertFalse(slack.isAcknowledged(last.envelope()));
            }

            @Override
            public void comesAgain() {
                // an unstored message is retried, whether Slack redelivers it or not
            }

            @Override
            public List<String> shown() {
                return texts(chat);
            }

            @Override
            public void closes() {
                chat.closes();
            }
        };
    }

    private static List<String> texts(SlackChat chat) {
        return chat.answers().stream().map(SlackMessage::text).toList();
    }

    @Override
    void failsNext(int times, int status, String message) {
        slack.failNext("chat.postMessage", times, status, message, null);
    }

    @Override
    void isTooFast(Duration wait) {
        slack.failNext("chat.postMessage", 1, 429, "ratelimited", Long.toString(wait.toSeconds()));
    }

    @Override
    void cutsNext() {
        slack.cutAfter("chat.postMessage");
    }

    @Override
    String secret() {
        return TOKEN;
    }

    private void awaitTexts(SlackChat chat, String... texts) {
        Awaitility.await().atMost(SOON).until(() -> texts(chat), List.of(texts)::equals);
    }

    // ---- Socket Mode

    @Test
    @Tag("P62")
    void reconnectsWithoutLosingMessages() {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        int before = slack.calls("apps.connections.open").size();

        // When
        slack.wantsAnotherConnection();
        chat.says("!say one");
        Awaitility.await()
                .atMost(SOON)
                .until(() -> slack.calls("apps.connections.open").size() > before);
        awaitTexts(chat, "one");
        slack.cutsConnections();
        chat.says("!say two");

        // Then
        awaitTexts(chat, "one", "two");
    }

    // ---- features of Slack

    @Test
    @Tag("P44")
    @Tag("P63")
    void answersMentionsInTheirThread() {
        // Given
        SlackChat channel = slack.channel("GENERAL", slack.user("Ann", "en-US"));
        channel.says("hello everybody");
        Sent mention = channel.mentions("please\n!say yes?", null);
        awaitTexts(channel, "yes?");

        // When
        channel.says("I did not mean you", mention.time());
        channel.mentions("please\n!say again", mention.time());

        // Then
        awaitTexts(channel, "yes?", "again");
        assertEquals(
                List.of(mention.time(), mention.time()),
                channel.answers().stream().map(SlackMessage::thread).toList());
        List<JsonNode> turns = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.list("/v1/sessions/slack:" + channel.id() + ":" + mention.time() + "/turns"),
                        rows -> rows.size() == 2);
        assertTrue(turns.toString().contains("Ann: "), "the agent knows who speaks");
    }

    @Test
    @Tag("B267")
    void inAThreadOfFiveOnlyThePersonWhoseMessageBeganATurnApproves() {
        // Given
        SlackChat ann = slack.channel("FIVE", slack.user("Ann", "en-US"));
        SlackChat bob = in(ann, "Bob");
        SlackChat cem = in(ann, "Cem");
        SlackChat dan = in(ann, "Dan");
        SlackChat eve = in(ann, "Eve");
        Sent mention = ann.mentions("the time\n!call time {}\n!then\n!say for Ann", null);
        SlackMessage anns = awaitQuestion(ann, 0);

        // When
        bob.mentions("me too\n!call time {}\n!then\n!say for Bob", mention.time());
        cem.says("I would allow it", mention.time());
        presses(ann, anns, bob, dan, eve);

        // Then it is Ann who decides about hers, and Bob about his
        assertFalse(texts(ann).toString().contains("for "), texts(ann).toString());
        ann.presses(anns, anns.buttons().getFirst());
        Awaitility.await().atMost(SOON).until(() -> texts(ann).contains("for Ann"));
        SlackMessage bobs = awaitQuestion(ann, 1);
        presses(ann, bobs, ann, cem, dan);
        assertFalse(texts(ann).contains("for Bob"), texts(ann).toString());
        bob.presses(bobs, bobs.buttons().getFirst());
        Awaitility.await().atMost(SOON).until(() -> texts(ann).contains("for Bob"));
        List<String> owners = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.list("/v1/turns?fresh=true&session=slack:" + ann.id() + ":" + mention.time()).stream()
                                .map(turn -> turn.path("user").asText())
                                .sorted()
                                .toList(),
                        users -> users.size() == 2);
        assertEquals(
                Stream.of(ann, bob)
                        .map(person -> "slack:" + person.user())
                        .sorted()
                        .toList(),
                owners);
    }

    private SlackChat in(SlackChat channel, String name) {
        return new SlackChat(slack, channel.id(), slack.user(name, "en-US"), channel.type());
    }

    /** The message that asks, after others that asked and were answered. */
    private static SlackMessage awaitQuestion(SlackChat chat, int answered) {
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> chat.answers().stream()
                                .filter(message -> !message.buttons().isEmpty())
                                .toList(),
                        asking -> asking.size() == 1 && answered(chat) >= answered)
                .getFirst();
    }

    private static long answered(SlackChat chat) {
        return texts(chat).stream().filter(text -> text.startsWith("for ")).count();
    }

    /** People press the button, each of whom is refused. */
    private void presses(SlackChat chat, SlackMessage question, SlackChat... others) {
        for (SlackChat other : others) {
            int before = slack.calls("chat.postEphemeral").size();
            other.presses(question, question.buttons().getFirst());
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> slack.calls("chat.postEphemeral").size() > before);
        }
        assertEquals(
                1,
                chat.answers().stream()
                        .filter(message -> !message.buttons().isEmpty())
                        .count());
    }

    @Test
    @Tag("P45")
    @Tag("P63")
    void answersCommandsInTheLanguageOfTheUser() {
        SlackChat chat = slack.direct(slack.user("Änne", "de-DE"));
        chat.commands("stop");
        awaitTexts(chat, "Ich tue gerade nichts.");

        chat.commands("help");
        Awaitility.await().atMost(SOON).until(() -> texts(chat).toString().contains("/parley new"));
    }

    @Test
    @Tag("P42")
    @Tag("P63")
    void receivesAndSendsFiles() {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        byte[] csv = "a,ü\n".getBytes(StandardCharsets.UTF_8);

        // When
        chat.sendsFile(
                "!call send_file {\"name\":\"zahlen.csv\",\"content\":\"a,ü\"}\n!then\n!say sent",
                "in.csv",
                "text/csv",
                csv);

        // Then
        Awaitility.await() // without announcements of uploads
                .atMost(SOON)
                .until(
                        () -> texts(chat).stream()
                                .filter(text -> !text.startsWith("📎"))
                                .toList(),
                        List.of("file zahlen.csv", "sent")::equals);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/sessions/slack:" + chat.user() + "/messages")
                        .text()
                        .contains("in.csv"));
        assertEquals(
                "a,ü",
                chat.answers().stream()
                        .filter(message -> message.text().equals("file zahlen.csv"))
                        .findFirst()
                        .orElseThrow()
                        .blocks()
                        .path(0)
                        .path("content")
                        .asText());
    }

    @Test
    @Tag("P42")
    void editReplacesAQueuedMessage() {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        chat.says("!delay 10s\n!say first");
        Awaitility.await()
                .atMost(SOON)
                .until(() ->
                        api.get("/v1/sessions/slack:" + chat.user() + "/turns").status() == 200);
        Sent second = chat.says("!say secnod");

        // When
        chat.changes(second, "!say second");

        // Then
        awaitTexts(chat, "first", "second");
    }

    // ---- over HTTP

    @Test
    @Tag("P41")
    @Tag("P62")
    void verifiesHttpEventsAndRunsEachOnce() throws Exception {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        Sent sent = chat.says("/unknown"); // the other bot answers it itself
        Awaitility.await().atMost(SOON).until(() -> texts(chat).size() == 1);
        String event = sent.payload().toString().replace("/unknown", "!say brought");
        String form = "payload=" + URLEncoder.encode("{\"type\":\"block_actions\"}", StandardCharsets.UTF_8);

        // When
        assertEquals(
                401,
                post(event, "application/json", SIGNING_SECRET + "0", Instant.now())
                        .statusCode());
        assertEquals(
                401,
                post(event, "application/json", SIGNING_SECRET, Instant.now().minusSeconds(400))
                        .statusCode());
        HttpResponse<String> verified = post(
                "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1a\"}",
                "application/json",
                SIGNING_SECRET,
                Instant.now());
        for (int times = 0; times < 3; times++) {
            assertEquals(
                    200,
                    post(event, "application/json", SIGNING_SECRET, Instant.now())
                            .statusCode());
        }
        assertEquals(
                200,
                post(form, "application/x-www-form-urlencoded", SIGNING_SECRET, Instant.now())
                        .statusCode());

        // Then
        assertTrue(verified.body().contains("3eZbrw1a"), verified.body());
        Awaitility.await().atMost(SOON).until(() -> texts(chat).contains("brought"));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/sessions/brought:" + chat.user() + "/turns")
                                .size()
                        == 1);
    }

    @Test
    @Tag("P62")
    void acceptsSlashCommandsAndSignedButtonPressesAsForms() throws Exception {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        postForm(chat.command("forget"));
        Awaitility.await().atMost(SOON).until(() -> chat.answers().size() == 1);
        SlackMessage question = chat.answers().getFirst();
        String value = question.buttons().getFirst().path("value").asText();

        // When a forged button and then a real one is pressed
        postPress(chat, question, value.substring(0, 11) + (value.charAt(11) == 'x' ? 'y' : 'x') + value.substring(12));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !slack.calls("chat.postEphemeral").isEmpty());
        assertEquals(1, chat.answers().getFirst().buttons().size());
        postPress(chat, question, value);

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> chat.answers().getFirst().buttons().isEmpty());
        assertEquals(1, chat.answers().size(), "the answer stands where the button was");
    }

    private void postPress(SlackChat chat, SlackMessage message, String value) throws Exception {
        String payload = URLEncoder.encode(chat.press(message, value).toString(), StandardCharsets.UTF_8);
        assertEquals(
                200,
                post("payload=" + payload, "application/x-www-form-urlencoded", SIGNING_SECRET, Instant.now())
                        .statusCode());
    }

    private void postForm(JsonNode fields) throws Exception {
        var pairs = new ArrayList<String>();
        fields.properties()
                .forEach(field -> pairs.add(field.getKey() + "="
                        + URLEncoder.encode(field.getValue().asText(), StandardCharsets.UTF_8)));
        String form = pairs.stream().collect(Collectors.joining("&"));
        assertEquals(
                200,
                post(form, "application/x-www-form-urlencoded", SIGNING_SECRET, Instant.now())
                        .statusCode());
    }

    private HttpResponse<String> post(String body, String type, String secret, Instant sentAt)
            throws IOException, InterruptedException, GeneralSecurityException {
        String time = Long.toString(sentAt.getEpochSecond());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signature =
                HexFormat.of().formatHex(mac.doFinal(("v0:" + time + ":" + body).getBytes(StandardCharsets.UTF_8)));
        return http.send(
                HttpRequest.newBuilder(URI.create(whole.instance().url() + "/slack/brought"))
                        .timeout(Duration.ofSeconds(30))
                        .header("Content-Type", type)
                        .header("X-Slack-Request-Timestamp", time)
                        .header("X-Slack-Signature", "v0=" + signature)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
