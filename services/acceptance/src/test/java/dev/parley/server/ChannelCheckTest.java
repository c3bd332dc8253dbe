package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.discord.FakeDiscord;
import dev.parley.platform.testkit.slack.FakeSlack;
import dev.parley.platform.testkit.whatsapp.FakeWhatsApp;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code channel check} and {@code doctor} for bots of all kinds. */
class ChannelCheckTest {
    private static final String BOT = "xoxb-1-2-check-token";
    private static final String APP = "xapp-1-check-token";
    private static final String WHATSAPP = "EAAcheck-token_0123456789";
    private static final String APP_SECRET = "0123456789abcdef0123456789abcdef";
    private static final String VERIFY = "check-token_verify-0123456789";
    private static final String DISCORD = "MjAwMDAwMDAwMDAwMDAwMDAx.secret.0123456789abcdef";

    private static final List<String> SECRETS = List.of(BOT, APP, DISCORD, WHATSAPP, APP_SECRET, VERIFY);

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final FakeDiscord discord = new FakeDiscord(DISCORD);
    private FakeSlack slack;
    private FakeWhatsApp whatsapp;

    @BeforeEach
    void start() throws IOException {
        slack = new FakeSlack(BOT, APP);
        whatsapp = new FakeWhatsApp(WHATSAPP, APP_SECRET);
        whatsapp.postsTo(URI.create("https://parley.example.org/whatsapp/shop"));
        for (String secret : SECRETS) {
            Files.writeString(folder.resolve(secret.substring(0, 4)), secret + "\n");
        }
        Files.writeString(folder.resolve("parley.yml"), """
            slack:
              - { name: helpdesk, token: "file:%1$s/xoxb", appToken: "file:%1$s/xapp", apiUrl: "%2$s" }
            discord:
              - { name: guild, token: "file:%1$s/MjAw", apiUrl: "%3$s", groups: all }
            whatsapp:
              - { name: shop, token: "file:%1$s/EAAc", appSecret: "file:%1$s/0123", verifyToken: "file:%1$s/chec",
                  phoneNumberId: "%5$s", apiUrl: "%4$s" }
            webhooks:
              - { name: hook, url: "https://integration.example/replies", secret: "file:%1$s/xoxb" }
            """.formatted(
                        folder, slack.api(), discord.url(), whatsapp.api(), FakeWhatsApp.NUMBER_ID));
    }

    @AfterEach
    void stop() {
        slack.close();
        whatsapp.close();
        discord.close();
    }

    /** Runs a command and checks that its output has no secret. */
    private int run(String... arguments) {
        var environment = Map.of(
                "PARLEY_CONFIG", folder.resolve("parley.yml").toString(),
                "PARLEY_DATA", folder.resolve("data").toString());
        int status = Parley.commandLine(environment, Program.installed())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(arguments);
        SECRETS.forEach(secret -> assertFalse(out.toString().contains(secret), out.toString()));
        return status;
    }

    private void assertPrinted(String text) {
        assertTrue(out.toString().contains(text), out.toString());
    }

    @Test
    void checksEachBotAtItsPlatform() {
        // When
        int status = run("channel", "check");

        // Then
        assertEquals(1, status);
        assertPrinted("helpdesk\n  ok   @parley of Acme, id U0BOT");
        assertPrinted("guild\n  ok   @parley, id " + FakeDiscord.BOT);
        assertPrinted("  !!   Message Content Intent is not enabled");
        assertPrinted("shop\n  ok   +1 555-078-3881, Acme");
        assertPrinted("  ok   its webhooks are sent to https://parley.example.org/whatsapp/shop");
        assertPrinted("  ok   its app secret is that of the app");
        assertPrinted("hook\n  ok   no platform check for bots of the kind webhook");
        assertPrinted("1 problem.");
    }

    @Test
    void checksTheNamedBotOnly() {
        assertEquals(0, run("channel", "check", "--bot", "helpdesk"), out.toString());
        assertPrinted("All is well.");
        assertFalse(out.toString().contains("guild\n"), out.toString());
    }

    @Test
    void doctorChecksEachBotAtItsPlatform() {
        // When
        run("doctor");

        // Then
        assertPrinted("  ok   slack: 'helpdesk' @parley of Acme, id U0BOT; ");
        assertPrinted("  !!   discord: 'guild' Message Content Intent is not enabled");
        assertEquals(List.of(), slack.calls("getMe"));
    }

    @Test
    void printsItsUsage() {
        assertEquals(0, run("channel", "check", "--help"));
        assertPrinted("Usage: parley channel check");
    }
}
