package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Growth;
import dev.parley.channels.contract.HumanTasks;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.SentAnswers.SentAnswer;
import dev.parley.channels.plugin.PluginBots;
import dev.parley.channels.plugin.RecordingIntake;
import dev.parley.domain.access.Capability;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.Choice;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.teams.FakeTeams;
import dev.parley.platform.testkit.teams.TeamsChat;
import dev.parley.platform.testkit.teams.TeamsChat.Sent;
import dev.parley.platform.testkit.teams.TeamsMessage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bot against a fake Teams, with an intake that records messages. */
class TeamsBotTest {
    private static final String SECRET = "check-token_0123456789";
    private static final UUID TURN = new UUID(0, 1);
    private static final Delivery DELIVERY = new Delivery("d", TURN, null);
    private static final Delivery GROWING = new Delivery("d", TURN, null, true);

    @TempDir
    private Path folder;

    private final RecordingIntake intake = new RecordingIntake();
    private FakeTeams teams;
    private TeamsChat chat;
    private Connection bot;

    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            Class<?> result = method.getReturnType();
            return result == Optional.class ? Optional.empty() : result == boolean.class ? false : null;
        }));
    }

    private static final class Everybody implements Rights {
        @Override
        public Verdict decide(BotConfig config, Sender sender, Capability... required) {
            return new Verdict(Decision.ALLOWED, sender);
        }

        @Override
        public Optional<String> problem(BotConfig config) {
            return Optional.empty();
        }
    }

    @BeforeEach
    void start() throws IOException {
        teams = new FakeTeams(SECRET);
        teams.isPatient();
        var blobs = new BlobStore(folder, BlobStore.MOST);
        var meters = new SimpleMeterRegistry();
        var services = new ChatServices(
                _ -> SECRET,
                stub(ChatState.class),
                stub(BotAudience.class),
                new Everybody(),
                stub(AccountLinks.class),
                blobs,
                (_, _) -> stub(Definitions.class),
                () -> stub(HumanTasks.class),
                (name, in, _) -> Optional.of(new SentAnswer(new ConversationAddress(name, in, null), TURN)),
                (_, _) -> false,
                meters);
        var parley = new PluginBots(
                _ -> SECRET, new Everybody(), new ContentReader(blobs), services, PowerGrants.NONE, meters);
        var config = new BotConfig(
                "teams",
                TeamsPlugin.KIND,
                "token",
                teams.api(),
                "default",
                null,
                Set.of(),
                true,
                false,
                Groups.MENTION,
                false,
                null,
                null,
                List.of(),
                true,
                Map.of(),
                Map.of(TeamsPlugin.APP_ID, FakeTeams.APP, TeamsPlugin.TENANT, FakeTeams.TENANT));
        var plugin = new TeamsPlugin();
        bot = plugin.connect(parley.bot(config, intake));
        InboundHttp.Receiver receiver = plugin.inbound().orElseThrow().receiver(parley.bot(config, intake));
        teams.endpoint((token, body) -> {
            var request = new InboundHttp.Request(Map.of("authorization", "Bearer " + token), body, "127.0.0.1");
            return switch (receiver.receive(request)) {
                case InboundHttp.Answer.Body(int status, String json) -> new FakeTeams.Answer(status, json);
                case InboundHttp.Answer.Untaken _ -> new FakeTeams.Answer(503, "");
                default -> new FakeTeams.Answer(500, "");
            };
        });
        chat = teams.direct("Ann");
    }

    @AfterEach
    void stop() {
        bot.close();
        teams.close();
    }

    private ConversationAddress address() {
        return new ConversationAddress("teams", chat.person(), null);
    }

    @Test
    @Tag("B212")
    void aPressIsAnsweredWithANoticeForThePersonAlone() throws Exception {
        chat.says("hello");
        var question = Piece.Words.plain("Which?").with(List.of(new Choice("One", "nonsense", "1")));
        bot.send(address(), question, DELIVERY);
        TeamsMessage shown = chat.answers().getLast();

        Sent forged = chat.sends(chat.press(shown, "forged-forged|x"));

        assertEquals(200, forged.status());
        assertTrue(forged.answer().contains("\"application/vnd.microsoft.activity.message\""), forged.answer());
        assertTrue(forged.answer().contains("too old"), forged.answer());
        assertEquals(List.of(), intake.answers, "nothing is said in the chat");
        assertEquals("One", shown.buttons().getFirst().path("title").asText());
    }

    @Test
    @Tag("B215")
    void streamsInPrivateAndTheStopButtonCancelsTheTurn() throws Exception {
        chat.says("hello");
        assertEquals(Growth.MESSAGE, bot.growth(address()));
        assertEquals(Growth.NONE, bot.growth(new ConversationAddress("teams", "19!x@thread.v2", null)));
        String id = bot.send(address(), Piece.Words.plain("🔧 weather …"), GROWING);
        bot.grow(address(), id, new GrowingAnswer(TURN, "Rain", "", List.of()));

        teams.stops(chat);
        bot.grow(address(), id, new GrowingAnswer(TURN, "Rain in Oslo", "", List.of()));
        bot.edit(address(), id, Piece.Words.plain("Stopped."));

        assertEquals(List.of("stop:" + id), intake.references);
        assertEquals(
                List.of("Stopped."),
                chat.answers().stream().map(TeamsMessage::text).toList());
    }

    @Test
    @Tag("B215")
    void aStreamEndsWithTheAnswerWhichCanBeRepeated() throws Exception {
        chat.says("hello");
        String first = bot.send(address(), Piece.Words.plain("…"), GROWING);
        bot.edit(address(), first, new Piece.Words("**Rain**", "Rain"));
        bot.edit(address(), first, new Piece.Words("**Rain**", "Rain"));
        String second = bot.send(address(), Piece.Words.plain("…"), GROWING);

        assertEquals("**Rain**", chat.answers().getFirst().text());
        assertEquals(2, chat.answers().size());
        assertFalse(first.equals(second));
    }

    @Test
    @Tag("B213")
    void refusedMarkupIsSentPlainOnceAndTooLongAfterAllIsRefused() throws Exception {
        chat.says("hello");
        teams.failNext("POST", 1, 400, "BadSyntax", "bad markdown", null);
        bot.send(address(), new Piece.Words("**bold**", "bold"), DELIVERY);
        assertEquals("bold", chat.answers().getLast().markup());

        teams.failNext("POST", 2, 413, "MessageSizeTooBig", "too large", null);
        SendFailure failure = assertThrows(
                SendFailure.class, () -> bot.send(address(), new Piece.Words("**bold**", "bold"), DELIVERY));
        assertEquals(SendFailure.Kind.REFUSED, failure.kind());
    }

    @Test
    @Tag("B259")
    void markupThatIsRefusedAtTheEndOfAStreamIsShownPlainInTheSameMessage() throws Exception {
        chat.says("hello");
        String id = bot.send(address(), Piece.Words.plain("…"), GROWING);
        bot.grow(address(), id, new GrowingAnswer(TURN, "**Rain**", "", List.of()));
        teams.failNext("POST", 1, 400, "BadSyntax", "bad markdown", null);

        bot.edit(address(), id, new Piece.Words("**Rain**", "Rain"));

        assertEquals(
                List.of("Rain"),
                chat.answers().stream().map(TeamsMessage::markup).toList());
        assertEquals(List.of(), teams.calls("PUT"));
    }

    /** What Teams sends for a form. */
    private static ObjectNode form(TeamsChat of, TeamsMessage shown, String data) {
        ObjectNode sent = of.press(shown, "");
        ((ObjectNode) sent.at("/value/action"))
                .putObject("data")
                .put("form", data)
                .put("one:reason", "I am moving");
        return sent;
    }

    @Test
    @Tag("B257")
    void aFormThatIsForgedOrOverHasNoEffectAndIsToldSo() throws Exception {
        chat.says("hello");
        var question = Piece.Words.plain("Leave?").with(List.of(new Choice("Answer", Choice.FORM, TURN.toString())));
        bot.send(address(), question, DELIVERY);
        TeamsMessage shown = chat.answers().getLast();
        String signed = shown.buttons().getFirst().at("/data/choice").asText();

        Sent pressed = chat.presses(shown, shown.buttons().getFirst());
        assertTrue(pressed.answer().contains("\"application/vnd.microsoft.activity.message\""), pressed.answer());
        assertFalse(pressed.answer().contains("\"value\":\"\""), "the person is told: " + pressed.answer());

        assertEquals(200, chat.sends(form(chat, shown, "forged-forged|form|x")).status());
        TeamsChat bob = teams.direct("Bob");
        assertEquals(200, bob.sends(form(bob, shown, signed)).status(), "it is signed for another chat");
        assertEquals(List.of(), intake.answers);

        ObjectNode sent = form(chat, shown, signed);
        assertEquals(200, chat.sends(sent).status());
        assertEquals(1, intake.answers.size(), intake.answers::toString);
    }

    @Test
    @Tag("B213")
    void picturesAndTextsAreShownAndOtherFilesRefused() throws Exception {
        chat.says("hello");
        bot.send(address(), new Piece.Document("a.png", "image/png", new byte[10], Piece.Words.plain("")), DELIVERY);
        bot.send(
                address(),
                new Piece.Document("a.csv", "text/csv", "a,b".getBytes(StandardCharsets.UTF_8), Piece.Words.plain("")),
                DELIVERY);
        SendFailure refused = assertThrows(
                SendFailure.class,
                () -> bot.send(
                        address(),
                        new Piece.Document(
                                "a.zip", "application/zip", new byte[] {80, 75, 0, -1}, Piece.Words.plain("")),
                        DELIVERY));

        assertTrue(chat.answers()
                .getFirst()
                .activity()
                .at("/attachments/0/contentUrl")
                .asText()
                .startsWith("data:image/png;base64,"));
        assertTrue(chat.answers().getLast().text().contains("a,b"));
        assertEquals(SendFailure.Kind.REFUSED, refused.kind());
        assertInstanceOf(Piece.Words.class, bot.pieces("x".repeat(70_000)).getLast());
    }
}
