package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.HumanTasks;
import dev.parley.channels.contract.IncomingMessage;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.plugin.PluginBots;
import dev.parley.channels.plugin.RecordingIntake;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.Choice;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.slack.FakeSlack;
import dev.parley.platform.testkit.slack.SlackChat;
import dev.parley.platform.testkit.slack.SlackMessage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bot against a fake Slack, with an intake that records messages. */
class SlackBotTest {
    private static final String TOKEN = "xoxb-1-2-bot-token_0123456789";
    private static final String APP_TOKEN = "xapp-1-bot-token_0123456789";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Delivery DELIVERY = new Delivery("d", new UUID(0, 1), null);

    @TempDir
    private Path folder;

    private final RecordingIntake intake = new RecordingIntake();
    private FakeSlack slack;
    private Connection bot;

    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            Class<?> result = method.getReturnType();
            return result == Optional.class ? Optional.empty() : result == boolean.class ? false : null;
        }));
    }

    private static final class Everybody implements Rights {
        @Override
        public Verdict decide(BotConfig bot, Sender sender, Capability... required) {
            return new Verdict(Decision.ALLOWED, sender);
        }

        @Override
        public Optional<String> problem(BotConfig bot) {
            return Optional.empty();
        }
    }

    @BeforeEach
    void start() throws IOException {
        slack = new FakeSlack(TOKEN, APP_TOKEN);
        var blobs = new BlobStore(folder, BlobStore.MOST);
        var meters = new SimpleMeterRegistry();
        BotTokens tokens = reference -> reference.equals("token") ? TOKEN : APP_TOKEN;
        var services = new ChatServices(
                tokens,
                stub(ChatState.class),
                stub(BotAudience.class),
                new Everybody(),
                stub(AccountLinks.class),
                blobs,
                (_, _) -> stub(Definitions.class),
                () -> stub(HumanTasks.class),
                (_, _, _) -> Optional.empty(),
                (_, _) -> false,
                meters);
        var parley =
                new PluginBots(tokens, new Everybody(), new ContentReader(blobs), services, PowerGrants.NONE, meters);
        var config = new BotConfig(
                "slack",
                SlackPlugin.KIND,
                "token",
                slack.api(),
                "default",
                null,
                Set.of(),
                true,
                false,
                Groups.MENTION,
                true,
                null,
                null,
                List.of(),
                true,
                Map.of(SlackPlugin.APP_TOKEN, "app"),
                Map.of(SlackSettings.PROMPTS, "Summary | Summarise today\n\nHelp me"));
        bot = new SlackPlugin().connect(parley.bot(config, intake));
        Awaitility.await().atMost(SOON).until(() -> slack.connections() > 0);
    }

    @AfterEach
    void stop() {
        bot.close();
        slack.close();
    }

    private static ConversationAddress address(SlackChat chat) {
        return new ConversationAddress("slack", chat.user(), null);
    }

    // ---- receiving

    @Test
    void acknowledgesAMessageOnlyWhenItIsDurable() {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        intake.unavailable = true;
        var sent = chat.says("hello");
        Awaitility.await().atMost(SOON).until(() -> slack.attempts(sent.envelope()) >= 2);
        assertFalse(slack.isAcknowledged(sent.envelope()));

        // When
        intake.unavailable = false;

        // Then
        Awaitility.await().atMost(SOON).until(() -> slack.isAcknowledged(sent.envelope()));
        assertEquals(Set.of("hello"), Set.copyOf(intake.texts()));
        assertEquals(
                1,
                intake.messages.stream()
                        .map(IncomingMessage::reference)
                        .distinct()
                        .count(),
                "however often, it is one turn");
        assertEquals("Ann", intake.messages.getFirst().sender().name());
        assertEquals(
                "slack:" + chat.user(),
                intake.messages.getFirst().address().key("default").session());
    }

    @Test
    void acceptsAChannelMentionOnceWithTheUsersName() {
        // Given
        SlackChat channel = slack.channel("GENERAL", slack.user("Ann", "en-US"));

        // When
        channel.says("not you");
        var mention = channel.mentions("you", null);

        // Then
        Awaitility.await().atMost(SOON).until(() -> intake.messages.size() == 2); // a message, and a mention
        assertEquals(List.of("Ann: you", "Ann: you"), intake.texts());
        assertEquals(
                1,
                intake.messages.stream()
                        .map(IncomingMessage::reference)
                        .distinct()
                        .count());
        assertEquals(
                "slack:CGENERAL:" + mention.time(),
                intake.messages.getFirst().address().key("default").session());
    }

    @Test
    void reconnectsOnRequestAndAfterABrokenConnection() {
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        slack.wantsAnotherConnection();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> slack.calls("apps.connections.open").size() == 2);
        chat.says("one");
        Awaitility.await().atMost(SOON).until(() -> intake.texts().contains("one"));

        slack.cutsConnections();
        chat.says("two");

        Awaitility.await().atMost(SOON).until(() -> intake.texts().contains("two"));
    }

    @Test
    void answersCommandsPrivatelyInTheUsersLanguage() {
        SlackChat channel = slack.channel("GENERAL", slack.user("Änne", "de-DE"));
        channel.commands("tea");
        channel.commands("help");

        Awaitility.await().atMost(SOON).until(() -> intake.answers.size() == 2);
        String answers = intake.answers.toString();
        assertTrue(answers.contains(channel.user() + " "), answers);
        assertTrue(answers.contains("/parley new – "), answers);
        assertTrue(answers.contains("kenne"), answers);
    }

    @Test
    void receivesEditsAndFiles() {
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        var sent = chat.sendsFile("look", "a.csv", "text/csv", "a,b".getBytes(StandardCharsets.UTF_8));
        Awaitility.await().atMost(SOON).until(() -> intake.messages.size() == 1);
        assertInstanceOf(Block.File.class, intake.messages.getFirst().content().getLast());

        chat.changes(sent, "look there");

        Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> intake.revised.stream()
                                .map(message -> message.reference() + " " + RecordingIntake.text(message))
                                .toList(),
                        List.of(chat.user() + ":" + sent.time() + " look there")::equals);
    }

    @Test
    @Tag("B240")
    void hearsAThreadAndReadsWhatCameBeforeTheFirstMention() {
        // Given a thread of people among themselves
        SlackChat chat = slack.channel("GENERAL", slack.user("Bob", "en-US"));
        SlackChat.Sent root = chat.says("the build is red");
        SlackChat.Sent second = chat.says("since noon", root.time());

        // When one is deleted, and the bot is mentioned
        chat.deletes(second);
        chat.mentions("why?", root.time());

        // Then
        Awaitility.await().atMost(SOON).until(() -> !intake.messages.isEmpty());
        assertEquals(
                List.of("Bob: the build is red", "Bob: since noon"),
                intake.messages.getFirst().earlier().stream()
                        .map(said -> said.speaker() + ": " + said.text())
                        .toList());
        Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> intake.overheard.stream()
                                .map(said ->
                                        said.reference().equals(second.time()) ? "second " + said.text() : said.text())
                                .toList(),
                        List.of("the build is red", "second since noon", "second ")::equals);
    }

    // ---- sending

    @Test
    void editReplacesTheTextAndRemovesTheButtons() throws Exception {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        var words = ((Piece.Words) bot.pieces("**tea**?").getFirst()).with(List.of(new Choice("Yes", "model", "a/b")));
        String message = bot.send(address(chat), words, DELIVERY);
        assertEquals("*tea*?", chat.answers().getFirst().markup());
        assertEquals(1, chat.answers().getFirst().buttons().size());

        // When
        bot.edit(address(chat), message, bot.draft("**tea** it is"));

        // Then
        SlackMessage now = chat.answers().getFirst();
        assertEquals("*tea* it is", now.markup());
        assertTrue(now.buttons().isEmpty());
        assertEquals(1, chat.answers().size());
    }

    @Test
    void sendsTextsAndFilesToTheThread() throws Exception {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        var thread = new ConversationAddress("slack", chat.user(), "1.1");
        byte[] bytes = "a,ü".getBytes(StandardCharsets.UTF_8);

        // When
        bot.send(thread, Piece.Words.plain("here"), DELIVERY);
        bot.send(thread, new Piece.Document("ü.csv", "text/csv", bytes, Piece.Words.plain("")), DELIVERY);

        // Then
        assertEquals(
                List.of("here", "file ü.csv"),
                chat.answers().stream().map(SlackMessage::text).toList());
        assertEquals(
                List.of("1.1", "1.1"),
                chat.answers().stream().map(SlackMessage::thread).toList());
        assertEquals(
                "a,ü", chat.answers().getLast().blocks().path(0).path("content").asText());
    }

    @ParameterizedTest
    @Tag("B191")
    @ValueSource(strings = {"invalid_blocks", "msg_blocks_too_long", "invalid_attachments"})
    void aRefusedTableIsSentAsTextInTheSameMessage(String error) throws Exception {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        Piece piece =
                bot.pieces("# Pumps\n\n| pump | bar |\n|--|--|\n| A | 1 |").getFirst();
        slack.failNext("chat.postMessage", 1, 200, error, null);

        // When
        String message = bot.send(address(chat), piece, DELIVERY);

        // Then
        assertEquals(List.of("section"), chat.answers().getFirst().types());
        assertTrue(chat.answers().getFirst().text().contains("A    | 1"), chat.answers()::toString);

        // When
        bot.edit(address(chat), message, (Piece.Words) piece);

        // Then
        assertEquals(List.of("markdown", "table"), chat.answers().getFirst().types());
        assertEquals(1, chat.answers().size());
    }

    @Test
    @Tag("B191")
    void whatSlackRefusesInEveryFormIsSentPlain() throws Exception {
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        slack.failNext("chat.postMessage", 2, 200, "invalid_blocks", null);

        bot.send(address(chat), bot.pieces("# Pumps\n\nA and B").getFirst(), DELIVERY);

        assertEquals("Pumps\n\nA and B", chat.answers().getFirst().text());
        assertEquals(3, slack.calls("chat.postMessage").size());
    }

    @Test
    @Tag("B190")
    void openChannelsAreTheContextOfTheNextMessage() {
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        ObjectNode change = new ObjectMapper()
                .createObjectNode()
                .put("type", "app_context_changed")
                .put("user", chat.user());
        change.putObject("context")
                .putArray("entities")
                .addObject()
                .put("type", "slack#/types/channel_id")
                .put("value", "C1");
        String envelope = chat.event(change);
        Awaitility.await().atMost(SOON).until(() -> slack.isAcknowledged(envelope));

        chat.says("summarise this");
        Awaitility.await().atMost(SOON).until(() -> intake.messages.size() == 1);
        chat.says("and now?");

        Awaitility.await().atMost(SOON).until(() -> intake.messages.size() == 2);
        assertEquals(List.of("[has open: channel C1]\nsummarise this", "and now?"), intake.texts());
    }

    @Test
    @Tag("B190")
    void whoOpensTheChatIsShownSuggestions() {
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        var opened = new ObjectMapper()
                .createObjectNode()
                .put("type", "app_home_opened")
                .put("user", chat.user())
                .put("channel", chat.id())
                .put("tab", "messages");

        chat.event(opened);

        Awaitility.await()
                .atMost(SOON)
                .until(() ->
                        slack.calls("assistant.threads.setSuggestedPrompts").size() == 1);
        JsonNode call =
                slack.calls("assistant.threads.setSuggestedPrompts").getFirst().params();
        assertEquals(chat.id(), call.path("channel_id").asText());
        assertEquals(
                "[{\"title\":\"Summary\",\"message\":\"Summarise today\"},{\"title\":\"Help me\",\"message\":\"Help me\"}]",
                call.path("prompts").asText());
        assertEquals(List.of(), intake.messages);
    }

    @Test
    @Tag("P49")
    void mapsFailuresToTheirKinds() throws Exception {
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));
        slack.failNext("chat.postMessage", 1, 429, "", "7");
        SendFailure fast = failure(chat);
        assertEquals(Kind.LATER, fast.kind());
        assertEquals(Duration.ofSeconds(7), fast.retryAfter());

        slack.failNext("chat.postMessage", 1, 502, "", null);
        assertEquals(Kind.IN_DOUBT, failure(chat).kind());
        slack.cutAfter("chat.postMessage");
        assertEquals(Kind.IN_DOUBT, failure(chat).kind());
        slack.failNext("chat.postMessage", 1, 200, "Bad: " + TOKEN, null);
        SendFailure refused = failure(chat);
        assertEquals(Kind.REFUSED, refused.kind());
        assertFalse(String.valueOf(refused.getMessage()).contains(TOKEN), refused::getMessage);

        slack.failNext("chat.postMessage", 1, 200, "token_revoked", null);
        assertEquals(Kind.REVOKED, failure(chat).kind());
        assertTrue(bot.problem().isPresent());
        bot.send(address(chat), Piece.Words.plain("again"), DELIVERY);
        assertTrue(bot.problem().isEmpty());
        assertEquals(
                Kind.GONE,
                assertThrows(SendFailure.class, () -> bot.edit(address(chat), "9.9", Piece.Words.plain("x")))
                        .kind());
        chat.closes();
        assertEquals(Kind.CLOSED, failure(chat).kind());
    }

    private SendFailure failure(SlackChat chat) {
        return assertThrows(SendFailure.class, () -> bot.send(address(chat), Piece.Words.plain("x"), DELIVERY));
    }
}
