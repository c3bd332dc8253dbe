package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.parley.platform.testkit.teams.FakeTeams;
import dev.parley.platform.testkit.teams.TeamsChat;
import dev.parley.platform.testkit.teams.TeamsChat.Sent;
import dev.parley.platform.testkit.teams.TeamsMessage;
import dev.parley.platform.testkit.teams.TeamsTokens;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The channel contract for Microsoft Teams. */
class TeamsChannelIT extends SendingChannelContract {
    private static final String SECRET = "contract-token_0123456789";

    private FakeTeams teams;

    @Override
    String begin(Path folder) throws IOException {
        teams = new FakeTeams(SECRET);
        Files.writeString(folder.resolve("secret"), SECRET);
        return """
                teams:
                  - token: "file:%s/secret"
                    appId: %s
                    tenant: %s
                    apiUrl: %s
                    allowAll: true
                """.formatted(folder, FakeTeams.APP, FakeTeams.TENANT, teams.api());
    }

    @Override
    void connected(Api api) {
        teams.endpoint(URI.create(api.url() + "/teams/teams"));
        Awaitility.await().atMost(SOON).until(() -> teams.tokensGiven() > 0);
    }

    @Override
    void end() {
        teams.close();
    }

    @AfterEach
    void nothingWasSentTooFast() {
        assertEquals(List.of(), teams.violations());
    }

    @Override
    Closable conversation() {
        TeamsChat chat = teams.direct("Ann");
        return new Closable() {
            private Sent last;

            @Override
            public String session() {
                return "teams:" + chat.person();
            }

            @Override
            public Runnable says(String text) {
                Sent sent = chat.says(text);
                last = sent;
                return () -> chat.again(sent);
            }

            @Override
            public void awaitNotTaken() {
                assertEquals(503, last.status());
            }

            @Override
            public void comesAgain() {
                last = chat.again(last);
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

    private static List<String> texts(TeamsChat chat) {
        return chat.answers().stream().map(TeamsMessage::text).toList();
    }

    @Override
    void failsNext(int times, int status, String message) {
        teams.failNext("POST", times, status, "", message, null);
    }

    @Override
    void isTooFast(Duration wait) {
        teams.failNext("POST", 1, 429, "TooManyRequests", "slow down", Long.toString(wait.toSeconds()));
    }

    @Override
    void cutsNext() {
        teams.cutAfter("POST");
    }

    @Override
    String secret() {
        return SECRET;
    }

    private void awaitTexts(TeamsChat chat, String... texts) {
        Awaitility.await().atMost(SOON).until(() -> texts(chat), List.of(texts)::equals);
    }

    // ---- tokens

    @Test
    @Tag("B210")
    void refusesActivitiesWithoutAValidTokenAndTellsNothing() {
        // Given
        TeamsChat chat = teams.direct("Eve");
        JsonNode activity = chat.message("!say no", null);
        JWTClaimsSet valid =
                TeamsTokens.claims(FakeTeams.APP, teams.serviceUrl()).build();
        JWTClaimsSet old = new JWTClaimsSet.Builder(valid)
                .expirationTime(Date.from(Instant.now().minusSeconds(400)))
                .build();
        JWTClaimsSet another =
                new JWTClaimsSet.Builder(valid).audience("another").build();

        // When
        Map<String, Integer> statuses = Map.of(
                "old", teams.deliver(activity, teams.tokens().signed(old)).status(),
                "another bot's",
                        teams.deliver(activity, teams.tokens().signed(another)).status(),
                "nonsense", teams.deliver(activity, "nonsense").status());

        // Then
        assertEquals(Map.of("old", 403, "another bot's", 403, "nonsense", 403), statuses);
        assertEquals(403, api.post("/teams/nobody", "{}").status());
        teams.tokens().rotates();
        assertEquals(200, chat.says("!say yes").status(), "a new key is fetched");
        awaitTexts(chat, "yes");
    }

    // ---- features of Teams

    @Test
    @Tag("B211")
    @Tag("P44")
    void answersMentionsInTheirThread() {
        // Given
        TeamsChat channel = teams.channel("general", teams.direct("Ann"));
        channel.says("hello everybody");
        Sent mention = channel.mentions("please\n!say yes?", null);
        awaitTexts(channel, "yes?");

        // When
        channel.mentions("please\n!say again", mention.id());

        // Then
        awaitTexts(channel, "yes?", "again");
        String thread = channel.id() + ";messageid=" + mention.id();
        assertEquals(
                List.of(thread, thread),
                channel.answers().stream().map(TeamsMessage::conversation).toList());
        List<JsonNode> turns = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.list("/v1/sessions/teams:19!general@thread.tacv2:" + mention.id() + "/turns"),
                        rows -> rows.size() == 2);
        assertTrue(turns.toString().contains("Ann: "), "the agent knows who speaks");
    }

    @Test
    @Tag("B211")
    @Tag("P42")
    void receivesAFileAndAnEditOfAQueuedMessage() {
        // Given
        TeamsChat chat = teams.direct("Ann");
        chat.sendsFile("!delay 10s\n!say first", "in.csv", "a,ü\n".getBytes(StandardCharsets.UTF_8));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> api.get("/v1/sessions/teams:" + chat.person() + "/messages")
                        .text()
                        .contains("in.csv"));
        Sent second = chat.says("!say secnod");

        // When
        chat.changes(second, "!say second");

        // Then
        awaitTexts(chat, "first", "second");
    }

    @Test
    @Tag("B212")
    void aPressedButtonIsReplacedByItsAnswerAndAForgedOneIsRefusedInPrivate() {
        // Given
        TeamsChat chat = teams.direct("Ann");
        chat.says("/forget");
        Awaitility.await()
                .atMost(SOON)
                .until(() -> chat.answers().size() == 1
                        && !chat.answers().getFirst().buttons().isEmpty());
        TeamsMessage question = chat.answers().getFirst();
        String data = question.buttons().getFirst().path("data").path("choice").asText();

        // When
        Sent forged = chat.sends(chat.press(question, (data.charAt(0) == 'x' ? 'y' : 'x') + data.substring(1)));
        boolean stays = !chat.answers().getFirst().buttons().isEmpty();
        Sent pressed = chat.presses(question, question.buttons().getFirst());

        // Then
        assertTrue(forged.answer().contains("application/vnd.microsoft.activity.message"), forged.answer());
        assertTrue(forged.answer().contains("too old"), forged.answer());
        assertTrue(stays, "a forged press changes nothing");
        assertEquals(200, pressed.status());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> chat.answers().getFirst().buttons().isEmpty());
        assertEquals(1, chat.answers().size(), "the answer stands where the button was");
    }

    @Test
    @Tag("B211")
    void greetsAPersonWhoInstallsTheApp() {
        TeamsChat chat = teams.direct("Ann");

        chat.installs();

        Awaitility.await().atMost(SOON).until(() -> chat.answers().size() == 1);
    }

    @Test
    @Tag("B213")
    void labelsAnswersAndRenewsARejectedToken() {
        // Given
        TeamsChat chat = teams.direct("Ann");
        chat.says("!say **bold** <b>");
        awaitTexts(chat, "**bold** <b>");

        // When
        teams.forgetsTokens();
        chat.says("!say again");

        // Then
        awaitTexts(chat, "**bold** <b>", "again");
        assertTrue(chat.answers().stream().allMatch(TeamsMessage::isLabelled));
    }
}
