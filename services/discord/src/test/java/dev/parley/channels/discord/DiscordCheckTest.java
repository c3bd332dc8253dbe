package dev.parley.channels.discord;

import static dev.parley.platform.testkit.FindingLines.isSaid;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Groups;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.testkit.FindingLines;
import dev.parley.platform.testkit.TestBot;
import dev.parley.platform.testkit.discord.FakeDiscord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check of a Discord bot's configuration before it runs. */
class DiscordCheckTest {
    private static final String TOKEN = "MjAwMDAwMDAwMDAwMDAwMDAx.secret.0123456789abcdef";

    private final Map<String, String> environment = new HashMap<>(Map.of("BOT", TOKEN));
    private final FakeDiscord discord = new FakeDiscord(TOKEN);
    private DiscordApi api;

    @BeforeEach
    void start() {
        api = new DiscordApi(discord.url(), () -> TOKEN);
    }

    @AfterEach
    void stop() {
        api.close();
        discord.close();
    }

    private TestBot bot(Groups groups) {
        var allowed = new Secrets(environment, Set.of("env:BOT"));
        return new TestBot("discord", discord.url(), groups, Map.of("token", "env:BOT"), allowed::get);
    }

    private List<String> check(Groups groups) throws InterruptedException {
        return FindingLines.of(DiscordCheck.of(bot(groups)), environment.values());
    }

    @Test
    void reportsNoProblemForACompleteSetup() throws DiscordException, InterruptedException {
        // Given
        api.call(
                "PUT",
                "/applications/" + FakeDiscord.BOT + "/commands",
                DiscordMenu.commands(bot(Groups.MENTION).commands(), true),
                DiscordApi.SHORT_TIMEOUT);

        // Then
        isSaid(
                check(Groups.MENTION),
                "ok @parley, id " + FakeDiscord.BOT,
                "ok the gateway is reachable; the bot may start 900 more sessions",
                "ok it receives messages in guilds that mention it",
                "ok it is in 1 guild",
                "ok its commands are registered");
        assertTrue(discord.calls("POST|PATCH|DELETE", ".*").isEmpty());
    }

    @Test
    void reportsAMissingIntent() throws InterruptedException {
        isSaid(
                check(Groups.ALL),
                "ok @parley",
                "ok the gateway",
                "!! Message Content Intent is not enabled, but it is set to answer everything in guilds, or to listen: Discord refuses",
                "ok it is in 1 guild",
                "ok its commands are not registered (agents, ");

        // Given
        discord.failNext(
                1, "GET", "/applications/@me", 200, "{\"id\": \"%s\", \"flags\": 524288}".formatted(FakeDiscord.BOT));

        // Then
        isSaid(
                check(Groups.ALL),
                "ok @parley",
                "ok the gateway",
                "ok it receives all messages in guilds",
                "ok it is in 1 guild",
                "ok its commands");
    }

    @Test
    void reportsProblemsOfSessionLimitEndpointAndGuilds() throws InterruptedException {
        // Given
        discord.failNext(1, "GET", "/gateway/bot", 200, """
                {"url": "ws://127.0.0.1", "session_start_limit": {"remaining": 0, "reset_after": 600000}}""");
        discord.failNext(1, "GET", "/applications/@me", 200, """
                {"id": "%s", "interactions_endpoint_url": "https://other.example/presses?key=hush"}""".formatted(FakeDiscord.BOT));
        discord.failNext(1, "GET", "/users/@me/guilds.*", 200, "[]");

        // When
        List<String> lines = check(Groups.OFF);

        // Then
        isSaid(
                lines,
                "ok @parley",
                "!! it may not start a session for 11 minutes",
                "ok it receives no messages in guilds",
                "!! an Interactions Endpoint URL is set, at other.example: Discord sends commands and presses",
                "!! it is not in a guild, so no one can write to it, not even in private; invite it: https://discord.com/"
                        + "oauth2/authorize?client_id=" + FakeDiscord.BOT + "&scope=bot",
                "ok its commands");
        assertFalse(lines.toString().contains("hush"), lines.toString());
    }

    @Test
    void reportsAnInvalidOrMissingTokenInOneLine() throws InterruptedException {
        // Given
        environment.put("BOT", "not-a-token");

        // Then
        isSaid(
                check(Groups.MENTION),
                "!! Discord rejects its token env:BOT, which was reset or mistyped (401 401: Unauthorized);"
                        + " its format is wrong: it is the token from the page Bot");

        // Given
        environment.clear();

        // Then
        isSaid(check(Groups.MENTION), "!! its token: the key env:BOT is missing or empty");
    }

    @Test
    void reportsThatDiscordIsUnreachable() throws InterruptedException {
        // Given
        discord.close();

        // Then
        isSaid(check(Groups.MENTION), "!! Discord cannot be reached at " + discord.url());
    }
}
