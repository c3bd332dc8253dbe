package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Groups;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.testkit.FindingLines;
import dev.parley.platform.testkit.TestBot;
import dev.parley.platform.testkit.teams.FakeTeams;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The check of a Teams bot's configuration before it runs. */
@Tag("B217")
class TeamsCheckTest {
    private static final String SECRET = "check-token_0123456789";

    private final Map<String, String> environment = new HashMap<>(Map.of("SECRET", SECRET));
    private final Map<String, String> settings =
            new HashMap<>(Map.of(TeamsPlugin.APP_ID, FakeTeams.APP, TeamsPlugin.TENANT, FakeTeams.TENANT));
    private FakeTeams teams;

    @BeforeEach
    void start() throws IOException {
        teams = new FakeTeams(SECRET);
    }

    @AfterEach
    void stop() {
        teams.close();
    }

    private List<String> check() throws InterruptedException {
        var allowed = new Secrets(environment, Set.of("env:SECRET"));
        var bot = new TestBot("help", teams.api(), Groups.ALL, Map.of("token", "env:SECRET"), settings, allowed::get);
        return FindingLines.of(TeamsCheck.of(bot), environment.values());
    }

    private static void isSaid(List<String> findings, String... beginnings) {
        assertEquals(beginnings.length, findings.size(), findings::toString);
        for (int i = 0; i < beginnings.length; i++) {
            assertTrue(findings.get(i).startsWith(beginnings[i]), findings.get(i));
        }
    }

    @Test
    void reportsNoProblemForACompleteSetup() throws InterruptedException {
        isSaid(
                check(),
                "ok app " + FakeTeams.APP + " of the tenant " + FakeTeams.TENANT
                        + "; Entra ID accepts its client secret",
                "ok the keys that activities are signed with are known",
                "ok its activities are sent to /teams/help of the public address",
                "ok messages without a mention arrive only where");
    }

    @Test
    void reportsARejectedSecret() throws InterruptedException {
        environment.put("SECRET", "old-token_0123456789");

        assertTrue(check().getFirst()
                .startsWith("!! Entra ID rejects its client secret env:SECRET, which has expired or is another app's"
                        + " or tenant's (the token was refused: 401 invalid_client AADSTS7000215"));
    }

    @Test
    void reportsInvalidIdsAndAMissingSecret() throws InterruptedException {
        settings.put(TeamsPlugin.TENANT, "example.org");
        isSaid(check(), "!! its tenant is not valid: it is the id of the app's tenant");

        environment.clear();
        assertTrue(check().getFirst().startsWith("!! its client secret: "));
    }

    @Test
    void reportsThatMicrosoftIsUnreachable() throws InterruptedException {
        teams.close();

        List<String> findings = check();

        assertTrue(findings.getFirst().startsWith("!! Entra ID cannot be reached at "), findings::toString);
        assertTrue(findings.get(1).startsWith("!! the keys that activities are signed with cannot be fetched"));
    }
}
