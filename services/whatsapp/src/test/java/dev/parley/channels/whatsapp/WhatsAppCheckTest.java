package dev.parley.channels.whatsapp;

import static dev.parley.platform.testkit.FindingLines.isSaid;

import dev.parley.channels.contract.Groups;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.testkit.FindingLines;
import dev.parley.platform.testkit.TestBot;
import dev.parley.platform.testkit.whatsapp.FakeWhatsApp;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The check of a WhatsApp bot's configuration before it runs. */
class WhatsAppCheckTest {
    private static final String TOKEN = "EAAcheck-token_0123456789";
    private static final String APP_SECRET = "0123456789abcdef0123456789abcdef";
    private static final Map<String, String> REFERENCES =
            Map.of("token", "env:TOKEN", "appSecret", "env:APP", "verifyToken", "env:VERIFY");

    private final Map<String, String> environment =
            new HashMap<>(Map.of("TOKEN", TOKEN, "APP", APP_SECRET, "VERIFY", "sk-sentinel-verify"));
    private String number = FakeWhatsApp.NUMBER_ID;
    private FakeWhatsApp whatsapp;

    @BeforeEach
    void start() throws IOException {
        whatsapp = new FakeWhatsApp(TOKEN, APP_SECRET);
        whatsapp.postsTo(URI.create("https://parley.example.org/whatsapp/help"));
    }

    @AfterEach
    void stop() {
        whatsapp.close();
    }

    private List<String> check(Map<String, String> references) throws InterruptedException {
        var allowed = new Secrets(environment, Set.of("env:TOKEN", "env:APP", "env:VERIFY"));
        var bot = new TestBot(
                "help",
                whatsapp.api(),
                Groups.OFF,
                references,
                Map.of(WhatsAppPlugin.PHONE_NUMBER_ID, number),
                allowed::get);
        return FindingLines.of(WhatsAppCheck.of(bot), environment.values());
    }

    @Test
    @Tag("B208")
    void reportsNoProblemForACompleteSetup() throws InterruptedException {
        isSaid(
                check(REFERENCES),
                "ok +1 555-078-3881, Acme",
                "ok its webhooks are sent to https://parley.example.org/whatsapp/help",
                "ok its token does not expire",
                "ok its app secret is that of the app");
    }

    @Test
    @Tag("B208")
    void reportsAnInvalidTokenAndWhereToFindIt() throws InterruptedException {
        environment.put("TOKEN", "EAAshort");

        isSaid(
                check(REFERENCES),
                "!! Meta rejects its token env:TOKEN, which was revoked, has expired or was mistyped (phone number: 401"
                        + " (190) Invalid OAuth access token - Cannot parse access token); its format is wrong: it is an");
    }

    @Test
    @Tag("B208")
    void reportsAWrongNumberSecretAndAddress() throws InterruptedException {
        // Given
        environment.put("APP", APP_SECRET.replace('0', '1'));
        environment.remove("VERIFY");
        whatsapp.postsTo(URI.create("https://elsewhere.example.org/hook"));

        // Then
        isSaid(
                check(REFERENCES),
                "ok +1 555-078-3881",
                "!! its webhooks are sent to https://elsewhere.example.org/hook, not to /whatsapp/help of",
                "ok its token does not expire",
                "!! Meta rejects its app secret env:APP (phone number: 400 (100) Invalid appsecret_proof",
                "!! its verify token: the key env:VERIFY is missing or empty");

        // Given
        number = "999999";

        // Then
        isSaid(
                check(Map.of("token", "env:TOKEN")),
                "!! Meta does not show the phone number 999999 to its token",
                "!! it has no verify token (verifyToken)");
    }

    @Test
    @Tag("B208")
    void reportsThatMetaIsUnreachable() throws InterruptedException {
        whatsapp.close();

        isSaid(check(REFERENCES), "!! Meta cannot be reached at " + whatsapp.api());
    }
}
