package dev.parley.channels.slack;

import static dev.parley.platform.testkit.FindingLines.isSaid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Groups;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.testkit.FindingLines;
import dev.parley.platform.testkit.TestBot;
import dev.parley.platform.testkit.slack.FakeSlack;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check of a Slack bot's configuration before it runs. */
class SlackCheckTest {
    private static final String BOT = "xoxb-1-2-check-token";
    private static final String APP = "xapp-1-check-token";
    private static final String SIGNING = "0123456789abcdef0123456789abcdef";
    private static final Map<String, String> BY_SOCKET = Map.of("appToken", "env:APP");
    private static final Map<String, String> BY_HTTP = Map.of("signingSecret", "env:SIGNING");

    private final Map<String, String> environment = new HashMap<>(Map.of("BOT", BOT, "APP", APP, "SIGNING", SIGNING));
    private FakeSlack slack;

    @BeforeEach
    void start() throws IOException {
        slack = new FakeSlack(BOT, APP);
    }

    @AfterEach
    void stop() {
        slack.close();
    }

    private List<String> check(Groups groups, Map<String, String> secrets) throws InterruptedException {
        var references = new HashMap<>(secrets);
        references.put("token", "env:BOT");
        var allowed = new Secrets(environment, Set.of("env:BOT", "env:APP", "env:SIGNING"));
        var bot = new TestBot("helpdesk", slack.api(), groups, references, allowed::get);
        return FindingLines.of(SlackCheck.of(bot), environment.values());
    }

    @Test
    void reportsNoProblemForACompleteSetup() throws InterruptedException {
        // Then
        isSaid(
                check(Groups.ALL, BY_SOCKET),
                "ok @parley of Acme, id U0BOT",
                "ok it has the scopes that it needs",
                "ok Socket Mode: it may open connections");
        assertEquals(0, slack.connections());
        assertEquals(
                Set.of("auth.test", "apps.connections.open"),
                Set.of("auth.test", "apps.connections.open", "chat.postMessage", "conversations.open").stream()
                        .filter(method -> !slack.calls(method).isEmpty())
                        .collect(Collectors.toSet()));
    }

    @Test
    void reportsMissingScopesWithTheirPurpose() throws InterruptedException {
        // Given
        slack.takeScope("files:write");
        slack.takeScope("groups:history");

        // Then
        isSaid(
                check(Groups.ALL, BY_SOCKET),
                "ok @parley",
                "!! the scope files:write is missing, so it cannot send files of agents; add it in OAuth",
                "!! the scope groups:history is missing",
                "ok Socket Mode");
        isSaid(check(Groups.MENTION, BY_SOCKET), "ok @parley", "!! the scope files:write", "ok Socket Mode");
    }

    @Test
    void reportsAnInvalidTokenAndWhereToFindIt() throws InterruptedException {
        // Given
        environment.put("BOT", APP);

        // Then
        isSaid(
                check(Groups.MENTION, BY_SOCKET),
                "!! Slack rejects its token env:BOT, which was revoked or mistyped (auth.test: 200"
                        + " invalid_auth); its format is wrong: it is the bot token of an installed app,"
                        + " which begins with xoxb-; OAuth & Permissions of the app has the right one");
    }

    @Test
    void reportsAMissingOrInvalidAppToken() throws InterruptedException {
        // Given
        environment.remove("APP");

        // Then
        isSaid(
                check(Groups.MENTION, BY_SOCKET),
                "ok @parley",
                "ok it has the scopes",
                "!! its app-level token: the key env:APP is missing or empty");

        // Given
        environment.put("APP", BOT);

        // Then
        isSaid(
                check(Groups.MENTION, BY_SOCKET),
                "ok @parley",
                "ok it has the scopes",
                "!! Slack rejects its app-level token env:APP (apps.connections.open: 200 invalid_auth); its"
                        + " format is wrong: it is an app-level token, which begins with xapp-; Basic");
    }

    @Test
    void reportsDisabledSocketMode() throws InterruptedException {
        // Given
        slack.failNext("apps.connections.open", 1, 200, "socket_mode_disabled", null);

        // Then
        isSaid(
                check(Groups.MENTION, BY_SOCKET),
                "ok @parley",
                "ok it has the scopes",
                "!! Slack does not let it open a connection (apps.connections.open: 200 socket_mode_disabled); Socket Mode of");
    }

    @Test
    void reportsThePathForHttpEventsAndAnInvalidSigningSecret() throws InterruptedException {
        isSaid(
                check(Groups.MENTION, BY_HTTP),
                "ok @parley",
                "ok it has the scopes",
                "ok its events are sent to /slack/helpdesk of the public address");
        assertTrue(slack.calls("apps.connections.open").isEmpty());

        // Given
        environment.put("SIGNING", "not-a-secret");

        // Then
        isSaid(
                check(Groups.MENTION, BY_HTTP),
                "ok @parley",
                "ok it has the scopes",
                "!! its signing secret env:SIGNING is not valid; its format is wrong: it is the signing secret",
                "ok its events are sent");
    }

    @Test
    void reportsThatSlackIsUnreachable() throws InterruptedException {
        // Given
        slack.close();

        // Then
        isSaid(check(Groups.MENTION, BY_SOCKET), "!! Slack cannot be reached at " + slack.api());
    }
}
