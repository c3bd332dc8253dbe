package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatNotes;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.testkit.teams.FakeTeams;
import dev.parley.platform.testkit.teams.TeamsChat;
import dev.parley.platform.testkit.teams.TeamsMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against a tenant that answers with Teams' errors. */
class TeamsApiTest {
    private static final String SECRET = "check-token_0123456789";

    private String secret = SECRET;
    private FakeTeams teams;
    private TeamsApi api;
    private TeamsChat chat;
    private Conversation in;

    @BeforeEach
    void start() throws IOException {
        teams = new FakeTeams(SECRET);
        api = new TeamsApi(TeamsCloud.of(teams.api()), FakeTeams.APP, FakeTeams.TENANT, () -> secret);
        chat = teams.direct("Ann");
        chat.says("hello");
        in = new Conversation(teams.serviceUrl(), chat.id());
    }

    @AfterEach
    void stop() {
        api.close();
        teams.close();
    }

    private static ObjectNode text(String text) {
        return TeamsApi.object().put("type", "message").put("text", text);
    }

    private TeamsApiException refused() {
        return assertThrows(TeamsApiException.class, () -> api.post(in, text("hi")));
    }

    @Test
    @Tag("B213")
    void postsEditsAndDeletesWithOneToken() throws Exception {
        String id = api.post(in, text("one")).path("id").asText();
        api.put(in, id, text("two"));
        assertEquals(
                List.of("two"),
                chat.answers().stream().map(TeamsMessage::markup).toList());
        api.delete(in, id);

        assertEquals(List.of(), chat.answers());
        assertEquals(1, teams.tokensGiven());
    }

    @ParameterizedTest
    @Tag("B213")
    @CsvSource({
        "429, TooManyRequests,          LATER",
        "412, ConversationLocked,       LATER",
        "502, BadGateway,               LATER",
        "504, GatewayTimeout,           LATER",
        "408, RequestTimeout,           IN_DOUBT",
        "500, ServiceError,             IN_DOUBT",
        "503, ServiceUnavailable,       IN_DOUBT",
        "400, BadSyntax,                REFUSED",
        "413, MessageSizeTooBig,        REFUSED",
        "403, BotNotInConversationRoster, CLOSED",
        "403, MessageWritesBlocked,     CLOSED",
        "404, ConversationNotFound,     CLOSED",
        "403, ContentStreamNotAllowed,  GONE"
    })
    void eachErrorHasItsConsequence(int status, String code, Kind kind) {
        teams.failNext("POST", 1, status, code, "with " + SECRET, status == 429 ? "7" : null);

        TeamsApiException refused = refused();

        assertEquals(kind, refused.kind());
        assertEquals(status == 429 ? Duration.ofSeconds(7) : null, refused.retryAfter());
        assertFalse(String.valueOf(refused.getMessage()).contains(SECRET));
    }

    @Test
    @Tag("B213")
    void aMessageToEditMayBeGoneAndAnAnswerMayBeLost() {
        TeamsApiException gone = assertThrows(TeamsApiException.class, () -> api.put(in, "17", text("x")));
        teams.cutAfter("POST");
        TeamsApiException lost = refused();

        assertEquals(Kind.GONE, gone.kind());
        assertEquals(Kind.IN_DOUBT, lost.kind());
        assertEquals(1, chat.answers().size(), "it was not repeated");
    }

    @Test
    @Tag("B213")
    void aRejectedTokenIsRenewedOnceAndAWrongSecretIsReported() throws Exception {
        api.post(in, text("one"));
        teams.forgetsTokens();
        api.post(in, text("two"));
        assertEquals(2, teams.tokensGiven());

        secret = "another-token_0123456789";
        assertEquals(Kind.REVOKED, refused().kind());
        secret = SECRET;
        api.post(in, text("three"));
        teams.failNext("POST", 2, 401, "Unauthorized", "no", null);
        assertEquals(Kind.REVOKED, refused().kind());
    }

    @ParameterizedTest
    @Tag("B216")
    @ValueSource(
            strings = {
                "https://evil.example.com/x",
                "http://127.0.0.1:1/x",
                "https://sharepoint.com.evil.org/x",
                "http://x.sharepoint.com/x",
                "https://a@x.sharepoint.com/x",
                "file:///etc/passwd",
                "nonsense"
            })
    void theTokenGoesToTheConnectorAloneAndFilesComeFromKnownHosts(String url) {
        assertEquals(
                Kind.REFUSED,
                assertThrows(TeamsApiException.class, () -> api.download(url, 100))
                        .kind());
        assertThrows(TeamsApiException.class, () -> api.post(new Conversation(url, "a:1"), text("x")));
    }

    @Test
    @Tag("B216")
    void aChatIsKnownByItsNoteAndAnUnknownPersonIsWrittenTo() throws Exception {
        // Given
        var notes = new HashMap<String, String>();
        ConversationAddress known = new ConversationAddress("teams", chat.person(), null);
        conversations(notes).learn(known, chat.message("hi", null));

        // When another process sends
        Conversation found = conversations(notes).of(known);
        TeamsChat bob = teams.direct("Bob");
        Conversation opened = conversations(notes).of(new ConversationAddress("teams", bob.person(), null));
        Conversation thread =
                conversations(notes).of(new ConversationAddress("teams", "19!general@thread.tacv2", "17"));

        // Then
        assertEquals(in, found);
        assertEquals(bob.id(), opened.id());
        assertEquals("19:general@thread.tacv2;messageid=17", thread.id());
        assertEquals(2, notes.size());
    }

    private Conversations conversations(Map<String, String> notes) {
        return new Conversations(
                api,
                new ChatNotes() {
                    @Override
                    public void write(String of, String note) {
                        notes.put(of, note);
                    }

                    @Override
                    public Optional<String> read(String of) {
                        return Optional.ofNullable(notes.get(of));
                    }
                },
                new Conversations.Cache());
    }

    @Test
    @Tag("B211")
    void fetchesFilesUpToALimit() throws Exception {
        String url = chat.sendsFile("see", "a.csv", new byte[] {1, 2, 3})
                .activity()
                .at("/attachments/0/content/downloadUrl")
                .asText();

        assertArrayEquals(new byte[] {1, 2, 3}, api.download(url, 3));
        assertEquals(
                Kind.REFUSED,
                assertThrows(TeamsApiException.class, () -> api.download(url, 2))
                        .kind());
    }
}
