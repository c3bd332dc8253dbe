package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.whatsapp.FakeWhatsApp;
import dev.parley.platform.testkit.whatsapp.WhatsAppMessage;
import dev.parley.platform.testkit.whatsapp.WhatsAppPerson;
import dev.parley.platform.testkit.whatsapp.WhatsAppPerson.Sent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The channel contract for WhatsApp. */
class WhatsAppChannelIT extends SendingChannelContract {
    private static final String TOKEN = "EAAcontract-token_0123456789";
    private static final String APP_SECRET = "0123456789abcdef0123456789abcdef";
    private static final String VERIFY_TOKEN = "sk-sentinel-verify";

    private final HttpClient http = HttpClient.newHttpClient();
    private FakeWhatsApp whatsapp;

    @Override
    String begin(Path folder) throws IOException {
        whatsapp = new FakeWhatsApp(TOKEN, APP_SECRET);
        Files.writeString(folder.resolve("token"), TOKEN);
        Files.writeString(folder.resolve("app-secret"), APP_SECRET);
        Files.writeString(folder.resolve("verify-token"), VERIFY_TOKEN);
        return """
                whatsapp:
                  - token: "file:%1$s/token"
                    phoneNumberId: %3$s
                    appSecret: "file:%1$s/app-secret"
                    verifyToken: "file:%1$s/verify-token"
                    apiUrl: %2$s
                    allowAll: true
                """.formatted(folder, whatsapp.api(), FakeWhatsApp.NUMBER_ID);
    }

    @Override
    Whole begins(Path folder) throws IOException {
        Whole started = super.begins(folder);
        whatsapp.postsTo(address(started));
        return started;
    }

    private static URI address(Whole started) {
        return URI.create(started.instance().url() + "/whatsapp/whatsapp");
    }

    @Override
    void connected(Api started) {
        // webhooks need no connection
    }

    @Override
    void end() {
        whatsapp.close();
    }

    @AfterEach
    void noRuleWasViolated() {
        assertEquals(List.of(), whatsapp.violations());
    }

    @Override
    Closable conversation() {
        WhatsAppPerson person = whatsapp.person("Ann");
        return new Closable() {
            private Sent last;

            @Override
            public String session() {
                return "whatsapp:" + person.id();
            }

            @Override
            public Runnable says(String text) {
                Sent sent = person.says(text);
                last = sent;
                return () -> whatsapp.bring(sent);
            }

            @Override
            public void awaitNotTaken() {
                Awaitility.await().atMost(SOON).until(() -> whatsapp.attempts(last.id()) >= 2);
                assertFalse(whatsapp.isAcknowledged(last.id()));
            }

            @Override
            public void comesAgain() {
                // a webhook is sent again until it is acknowledged
            }

            @Override
            public List<String> shown() {
                return texts(person);
            }

            @Override
            public void closes() {
                person.closes();
            }
        };
    }

    private static List<String> texts(WhatsAppPerson person) {
        return person.answers().stream().map(WhatsAppMessage::text).toList();
    }

    /** A fault that Meta explains: a message of which a gateway says nothing is in doubt, and not repeated. */
    @Override
    void failsNext(int times, int status, String message) {
        whatsapp.failNext(times, status, status >= 500 ? 131_016 : 100, message, null);
    }

    @Override
    void isTooFast(Duration wait) {
        whatsapp.failNext(1, 429, 130_429, "Rate limit hit", Long.toString(wait.toSeconds()));
    }

    @Override
    void cutsNext() {
        whatsapp.cutAfter();
    }

    @Override
    String secret() {
        return TOKEN;
    }

    private void awaitTexts(WhatsAppPerson person, String... texts) {
        Awaitility.await().atMost(SOON).until(() -> texts(person), List.of(texts)::equals);
    }

    // ---- webhooks

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> verify(String bot, String token) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address(whole)
                .resolve("/whatsapp/" + bot + "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token="
                        + token)));
    }

    @Test
    @Tag("B201")
    void theAddressIsVerified() throws Exception {
        HttpResponse<String> verified = verify("whatsapp", VERIFY_TOKEN);

        assertEquals(200, verified.statusCode());
        assertEquals("1158201444", verified.body());
        assertTrue(verified.headers().firstValue("Content-Type").orElse("").startsWith("text/plain"));
        assertEquals(401, verify("whatsapp", "guessed").statusCode());
        assertEquals(401, verify("unknown", VERIFY_TOKEN).statusCode());
        assertEquals(401, verify("whatsapp", "").statusCode());
    }

    @Test
    @Tag("B201")
    void unsignedWebhooksAreRejected() throws Exception {
        // Given
        WhatsAppPerson person = whatsapp.person("Ann");
        Sent sent = person.says("!say one");
        awaitTexts(person, "one");
        String forged = sent.notification().toString().replace("!say one", "!say forged");

        // Then
        for (String signature : List.of("", "sha256=", FakeWhatsApp.signature(APP_SECRET.replace('0', '1'), forged))) {
            assertEquals(401, post(forged, signature).statusCode());
        }
        assertEquals(
                401,
                post(
                                forged,
                                FakeWhatsApp.signature(
                                        APP_SECRET, sent.notification().toString()))
                        .statusCode());
        assertEquals(
                200,
                post("not JSON", FakeWhatsApp.signature(APP_SECRET, "not JSON")).statusCode());
        assertEquals(200, post("[]", FakeWhatsApp.signature(APP_SECRET, "[]")).statusCode());
        assertEquals(List.of("one"), texts(person));
    }

    private HttpResponse<String> post(String body, String signature) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address(whole))
                .header("Content-Type", "application/json")
                .header("X-Hub-Signature-256", signature)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    // ---- features of WhatsApp

    @Test
    @Tag("B202")
    @Tag("B204")
    void receivesAndSendsFiles() {
        // Given
        WhatsAppPerson person = whatsapp.person("Ann");
        byte[] csv = "a,ü\n".getBytes(StandardCharsets.UTF_8);

        // When
        person.sendsFile(
                "!call send_file {\"name\":\"zahlen.csv\",\"content\":\"a,ü\"}\n!then\n!say sent",
                "in.csv",
                "text/csv",
                csv);

        // Then
        awaitTexts(person, "document zahlen.csv", "sent");
        assertEquals("a,ü", new String(person.answers().getFirst().bytes(), StandardCharsets.UTF_8));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/sessions/whatsapp:" + person.id() + "/messages")
                        .text()
                        .contains("in.csv"));
    }

    @Test
    @Tag("B204")
    void answersCommandsAndPressesOfSignedButtons() {
        // Given
        WhatsAppPerson person = whatsapp.person("Ann");
        person.says("/forget");
        Awaitility.await().atMost(SOON).until(() -> person.answers().size() == 1);
        WhatsAppMessage question = person.answers().getFirst();
        String data = question.choices().getFirst();

        // When a forged button and then a real one is pressed
        person.presses(question, (data.charAt(0) == 'x' ? 'y' : 'x') + data.substring(1));
        Awaitility.await().atMost(SOON).until(() -> person.answers().size() == 2);
        Sent press = person.presses(question, data);
        whatsapp.bring(press);
        Awaitility.await().atMost(SOON).until(() -> person.answers().size() == 3);
        person.says("!say the end");

        // Then
        Awaitility.await().atMost(SOON).until(() -> texts(person).contains("the end"));
        assertEquals(4, person.answers().size(), () -> texts(person).toString());
    }

    @Test
    @Tag("B203")
    void aPersonWithANewIdKeepsTheSession() {
        // Given
        WhatsAppPerson person = whatsapp.person("Ann");
        person.says("My name is Ada");
        Awaitility.await().atMost(SOON).until(() -> texts(person).toString().contains("Ada"));

        // When
        WhatsAppPerson moved = person.moves();
        moved.says("What is my name?");

        // Then
        Awaitility.await().atMost(SOON).until(() -> texts(moved).toString().contains("Ada"));
        assertEquals(404, api.get("/v1/sessions/whatsapp:" + moved.id()).status());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.list("/v1/sessions/whatsapp:" + person.id() + "/turns")
                                .size()
                        == 2);
    }

    @Test
    @Tag("B204")
    void marksMessagesAsReadWhileItWorks() {
        WhatsAppPerson person = whatsapp.person("Ann");
        Sent sent = person.says("!delay 3s\n!say done");

        awaitTexts(person, "done");

        JsonNode notice = whatsapp.notices().stream()
                .filter(read -> read.path("message_id").asText().equals(sent.id()))
                .findFirst()
                .orElseThrow();
        assertEquals("text", notice.path("typing_indicator").path("type").asText());
    }

    // ---- what becomes of answers

    private JsonNode delivery(WhatsAppPerson person, String state) {
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.list("/v1/bots/whatsapp/deliveries?chat=" + person.id() + "&state=" + state),
                        rows -> !rows.isEmpty())
                .getFirst();
    }

    @Test
    @Tag("B205")
    void anAnswerAfterTheWindowIsRefusedWithTheReason() {
        // Given a person whose window closes while the agent works, which WhatsApp alone knows
        WhatsAppPerson person = whatsapp.person("Ann");
        person.says("!delay 2s\n!say too late");
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/sessions/whatsapp:" + person.id() + "/turns")
                                .status()
                        == 200);

        // When
        person.wasSilent();

        // Then
        String reason = delivery(person, "failed").path("detail").asText();
        assertTrue(reason.contains("has not written for 24 hours"), reason);
        assertTrue(reason.contains("no template"), reason);
        assertEquals(List.of(), texts(person));
    }

    @Test
    @Tag("B207")
    void aFailureThatIsReportedLaterShowsOnTheDelivery() {
        WhatsAppPerson person = whatsapp.person("Ann");
        whatsapp.failsLater(131_026);

        person.says("!say lost");

        assertEquals(
                "WhatsApp reports: (131026) Error 131026: details of 131026",
                delivery(person, "failed").path("detail").asText());
    }

    @Test
    @Tag("B200")
    void anAnswerInDoubtIsFoundByTheReportAboutIt() {
        // Given
        WhatsAppPerson person = whatsapp.person("Ann");
        whatsapp.cutAfter();

        // When
        person.says("!say once");
        awaitTexts(person, "once");
        person.says("!say next");

        // Then
        awaitTexts(person, "once", "next");
        assertTrue(delivery(person, "delivered").path("detail").isNull(), "nothing is in doubt");
    }
}
