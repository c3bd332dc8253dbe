package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
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
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.SentAnswers.SentAnswer;
import dev.parley.channels.plugin.PluginBots;
import dev.parley.channels.plugin.PluginFixture;
import dev.parley.channels.plugin.RecordingIntake;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Overheard;
import dev.parley.domain.protocol.TurnCommand.GiveFeedback;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.discord.FakeDiscord;
import dev.parley.platform.testkit.discord.FakeDiscord.Chat;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter against a fake Discord. */
class DiscordBotTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TOKEN = "MjAw.x.discord-token_0123456789";
    private static final String ANN = "400000000000000001";

    private final FakeDiscord discord = new FakeDiscord(TOKEN);
    private final Map<String, String> lastSeen = new ConcurrentHashMap<>();
    private final RecordingIntake intake = new RecordingIntake(true);
    private String token = TOKEN;
    private Groups groups = Groups.MENTION;
    private boolean listens;
    private Rights.Decision decision = Rights.Decision.ALLOWED;
    private HumanTasks tasks = PluginFixture.NO_TASKS;
    private Connection bot;

    @TempDir
    private Path folder;

    private PluginBots parley() {
        ChatState chatState = new ChatState() {
            @Override
            public void setWritable(ConversationAddress address, boolean writable) {}

            @Override
            public void moveChat(String bot, String from, String to) {}

            @Override
            public void movePerson(String bot, String from, String to) {}

            @Override
            public Optional<String> lastSeenMessage(ConversationAddress address) {
                return Optional.ofNullable(lastSeen.get(address.chat()));
            }

            @Override
            public void recordNote(ConversationAddress address, String note) {
                throw new AssertionError("Discord needs no notes");
            }

            @Override
            public Optional<String> note(ConversationAddress address) {
                return Optional.empty();
            }

            @Override
            public void recordSeen(ConversationAddress address, String message) {
                lastSeen.put(address.chat(), message);
            }

            @Override
            public Map<String, String> lastSeenMessages(String bot) {
                return Map.copyOf(lastSeen);
            }
        };
        BotAudience nobody = new BotAudience() {
            @Override
            public boolean isAllowed(String bot, String user) {
                return false;
            }

            @Override
            public Optional<String> code(String bot, Sender person) {
                return Optional.empty();
            }

            @Override
            public void withdraw(String bot, Sender person) {}
        };
        Rights allowAll = new Rights() {
            @Override
            public Verdict decide(BotConfig bot, Sender sender, Capability... required) {
                return new Verdict(decision, sender);
            }

            @Override
            public Optional<String> problem(BotConfig bot) {
                return Optional.empty();
            }
        };
        AccountLinks none = new AccountLinks() {
            @Override
            public Optional<UUID> account(String bot, String user) {
                return Optional.empty();
            }

            @Override
            public Linked link(String bot, Sender sender, String code) {
                return new Linked.WrongCode();
            }

            @Override
            public void invalidate(String bot, Sender sender, String code) {}

            @Override
            public boolean unlink(String bot, String user) {
                return false;
            }
        };
        var blobs = new BlobStore(folder, 1 << 20);
        var meters = new SimpleMeterRegistry();
        var services = new ChatServices(
                _ -> token,
                chatState,
                nobody,
                allowAll,
                none,
                blobs,
                (_, _) -> {
                    throw new AssertionError("nobody asks for agents");
                },
                () -> tasks,
                (bot, chat, message) ->
                        Optional.of(new SentAnswer(new ConversationAddress(bot, chat, null), new UUID(0, 1))),
                (_, _) -> false,
                meters);
        return new PluginBots(_ -> token, allowAll, new ContentReader(blobs), services, PowerGrants.NONE, meters);
    }

    private void connect() {
        bot = new DiscordPlugin().connect(parley().bot(config(), intake));
        Awaitility.await().atMost(SOON).until(discord.gateway()::isOnline);
    }

    private BotConfig config() {
        return new BotConfig(
                "discord",
                DiscordPlugin.KIND,
                "env:TOKEN",
                discord.url(),
                "default",
                null,
                Set.of(),
                true,
                false,
                groups,
                listens,
                null,
                null,
                List.of(),
                true,
                Map.of(),
                null);
    }

    @AfterEach
    void close() {
        bot.close();
        discord.close();
    }

    private void awaitReceived(String... texts) {
        Awaitility.await().atMost(SOON).until(intake::texts, List.of(texts)::equals);
    }

    private static Delivery delivery(String id) {
        return new Delivery(id, new UUID(0, 1), null);
    }

    private static ConversationAddress ann() {
        return new ConversationAddress("discord", "@" + ANN, null);
    }

    @Test
    @Tag("B240")
    void hearsAGuildAndReadsWhatCameBeforeTheFirstMention() {
        // Given a channel in which people talked before the bot came
        Chat channel = discord.channel();
        channel.says("400000000000000002", "the build is red", new ObjectMapper().createObjectNode());
        listens = true;
        connect();

        // When
        JsonNode secret = channel.says("400000000000000002", "my password is x", new ObjectMapper().createObjectNode());
        Awaitility.await()
                .atMost(SOON)
                .until(() ->
                        intake.overheard.stream().anyMatch(heard -> heard.text().equals("my password is x")));
        channel.deletes(secret.path("id").asText());
        channel.says("400000000000000002", "<@" + FakeDiscord.BOT + "> why?", new ObjectMapper().createObjectNode());

        // Then
        Awaitility.await().atMost(SOON).until(() -> !intake.messages.isEmpty());
        assertEquals(
                List.of("the build is red"),
                intake.messages.getFirst().earlier().stream()
                        .map(Overheard::text)
                        .toList());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> intake.overheard.getLast().isDeleted()
                        && intake.overheard
                                .getLast()
                                .reference()
                                .equals(secret.path("id").asText()));
    }

    @Test
    @Tag("B221")
    void reactionsAreOpinionsAboutAnswers() throws Exception {
        // Given
        connect();
        String sent = bot.send(ann(), Piece.Words.plain("Oslo"), delivery("d1"));
        Chat chat = discord.privately(ANN);

        // When
        chat.reacts(sent, "👍🏽", false);
        chat.reacts(sent, "👎", false);
        chat.reacts(sent, "👍🏽", true);

        // Then
        Awaitility.await().atMost(SOON).until(() -> intake.commands.size() == 3);
        assertEquals(
                List.of("👍🏽 GOOD", "👎 BAD", "👍🏽 WITHDRAWN"),
                intake.commands.stream()
                        .map(GiveFeedback.class::cast)
                        .map(feedback -> feedback.emoji() + " " + feedback.opinion())
                        .toList());
        assertEquals(ANN, intake.commands.getFirst().meta().user());
    }

    // ---- receiving

    @Test
    void acceptsAPrivateMessage() {
        connect();
        JsonNode sent = discord.privately(ANN).says("hello");

        awaitReceived("hello");

        IncomingMessage message = intake.messages.getFirst();
        assertEquals(ann(), message.address());
        assertEquals("@" + ANN + ":" + sent.path("id").asText(), message.reference());
        assertFalse(message.shared());
    }

    @Test
    @Tag("P44")
    void acceptsGuildMessagesThatMentionTheBot() {
        connect();
        Chat channel = discord.channel();
        channel.says(ANN, "hello all", new ObjectMapper().createObjectNode());
        channel.says(ANN, "<@" + FakeDiscord.BOT + "> hello bot", new ObjectMapper().createObjectNode());

        awaitReceived("Ann: hello bot");
        assertTrue(intake.messages.getFirst().shared());
        assertEquals(
                (1 << 12) | (1 << 13) | (1 << 9) | (1 << 10),
                discord.gateway().said(2).getFirst().path("d").path("intents").asInt());
    }

    @Test
    void receivesMessagesOfAnOutageWhenTheSessionResumes() {
        connect();
        discord.privately(ANN).says("one");
        awaitReceived("one");
        discord.gateway().cut();
        discord.privately(ANN).says("two");

        awaitReceived("one", "two");
        assertEquals(1, discord.gateway().said(2).size());
        assertEquals(1, discord.gateway().said(6).size());
    }

    @Test
    void fetchesMessagesAfterTheSessionIsLost() {
        // Given
        connect();
        discord.privately(ANN).says("one");
        awaitReceived("one");

        // When
        discord.gateway().forgetSession();
        discord.gateway().cut();
        discord.privately(ANN).says("two");
        discord.channel().says(ANN, "<@" + FakeDiscord.BOT + "> three", new ObjectMapper().createObjectNode());

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> Set.copyOf(intake.texts()).equals(Set.of("one", "two", "Ann: three")));
        assertEquals(2, discord.gateway().said(2).size());
    }

    @Test
    void fetchesMessagesSentWhileTheBotWasStopped() {
        // Given
        connect();
        discord.privately(ANN).says("one");
        awaitReceived("one");
        Awaitility.await().atMost(SOON).until(() -> lastSeen.containsKey("*"));
        bot.close();
        discord.gateway().forgetSession();
        discord.privately(ANN).says("two");
        for (int i = 0; i < 120; i++) {
            discord.privately(ANN).says("more " + i);
        }

        // When
        connect();

        // Then
        Awaitility.await().atMost(SOON).until(() -> intake.messages.size() == 122);
        assertEquals("two", intake.texts().get(1));
        assertEquals("more 119", intake.texts().getLast());
    }

    @Test
    @Tag("O1")
    void doesNotAcknowledgeAMessageBeforeItIsDurable() {
        connect();
        intake.unavailable = true;
        discord.privately(ANN).says("hold on");
        long event = discord.gateway().last();
        Awaitility.await().atMost(SOON).until(() -> intake.refusals.get() > 0);
        long beats = discord.gateway().heartbeats()[0];
        Awaitility.await().atMost(SOON).until(() -> discord.gateway().heartbeats()[0] > beats + 1);
        assertTrue(discord.gateway().heartbeats()[1] < event);

        intake.unavailable = false;

        awaitReceived("hold on");
        Awaitility.await().atMost(SOON).until(() -> discord.gateway().heartbeats()[1] >= event);
    }

    @Test
    void resumesTheSessionIfHeartbeatsAreNotAnswered() {
        connect();
        discord.gateway().answersHeartbeats(false);
        Awaitility.await().atMost(SOON).until(() -> !discord.gateway().said(6).isEmpty());
        discord.gateway().answersHeartbeats(true);

        discord.privately(ANN).says("still here");

        awaitReceived("still here");
    }

    @Test
    void reportsRejectedIntents() {
        groups = Groups.ALL;
        discord.gateway().refuses(4014);
        bot = new DiscordPlugin().connect(parley().bot(config(), intake));

        Awaitility.await().atMost(SOON).until(() -> bot.problem().isPresent());
        assertTrue(bot.problem().orElseThrow().contains("Message Content Intent"));
    }

    @Test
    void reportsAnInvalidTokenWithoutRevealingIt() {
        token = "another-token_0123456789";
        bot = new DiscordPlugin().connect(parley().bot(config(), intake));

        Awaitility.await().atMost(SOON).until(() -> bot.problem().isPresent());
        assertFalse(bot.problem().orElseThrow().contains(token));
        assertEquals(List.of(), discord.gateway().said(2));
    }

    @Test
    void editRevisesItsMessage() {
        connect();
        Chat chat = discord.privately(ANN);
        JsonNode sent = chat.says("teh https://example.org");
        awaitReceived("teh https://example.org");
        chat.previews(sent);
        chat.edits(sent, "the https://example.org");
        chat.says("next");

        awaitReceived("teh https://example.org", "next");
        assertEquals(
                List.of(intake.messages.getFirst().reference()),
                intake.revised.stream().map(IncomingMessage::reference).toList());
    }

    @Test
    void fetchesFilesFromDiscordOnly() {
        // Given
        connect();
        ObjectNode fields = new ObjectMapper().createObjectNode();
        fields.putArray("attachments")
                .addObject()
                .put("url", discord.keep("a.txt", new byte[] {1, 2, 3}))
                .put("filename", "a.txt")
                .put("content_type", "text/plain")
                .put("size", 3);
        fields.withArray("attachments")
                .addObject()
                .put("url", "https://example.org/b")
                .put("filename", "b")
                .put("size", 3);

        // When
        discord.privately(ANN).says(ANN, "look", fields);

        // Then
        Awaitility.await().atMost(SOON).until(() -> intake.messages.size() == 1);
        List<Block> content = intake.messages.getFirst().content();
        assertTrue(content.get(1) instanceof Block.File file && file.size() == 3);
        assertEquals(Block.text("[file 'b', application/octet-stream: cannot be fetched]"), content.get(2));
    }

    @Test
    @Tag("B232")
    void interactionsAreAnsweredInTimeWhileTheirChatWaits() throws Exception {
        // Given
        connect();
        var forget = new Choice("Forget everything", "forget", "everything");
        bot.send(ann(), Piece.Words.plain("Sure?").with(List.of(forget)), delivery("a-0"));
        intake.unavailable = true;
        discord.privately(ANN).says("hold on");
        Awaitility.await().atMost(SOON).until(() -> intake.refusals.get() > 0);

        // When
        discord.privately(ANN).commands("help");
        discord.privately(ANN).presses("Forget everything");

        // Then
        Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> discord.unanswered() == 0);
        decision = Rights.Decision.OUTSIDE;
        intake.unavailable = false;
        Awaitility.await().atMost(SOON).until(() -> discord.notices().size() == 2);
        assertEquals(1, intake.answers.size(), "that of the message alone: " + intake.answers);
    }

    @Test
    @Tag("B232")
    void refusesACommandWhereOnlyItsPersonSeesIt() {
        // Given
        connect();
        decision = Rights.Decision.STRANGER;
        Chat guild = discord.channel();

        // When
        guild.commands("new");
        guild.commands("status");

        // Then
        Awaitility.await().atMost(SOON).until(() -> discord.notices().size() == 2);
        assertTrue(discord.notices().getFirst().contains("your id is 7"), discord.notices()::toString);
        assertEquals(List.of(), discord.calls("DELETE", "/webhooks/.*"));
        assertEquals(List.of(), intake.answers);
    }

    @Test
    @Tag("B232")
    void refusalWhoseInteractionIsOverIsAMessage() {
        // Given
        connect();
        decision = Rights.Decision.FORBIDDEN;
        discord.failNext(1, "POST", "/interactions/.*", 404, "{\"message\": \"Unknown interaction\", \"code\": 10062}");

        // When
        discord.privately(ANN).commands("new");

        // Then
        Awaitility.await().atMost(SOON).until(() -> intake.answers.size() == 1);
        assertEquals(List.of(), discord.calls("PATCH", "/webhooks/.*"));
    }

    @Test
    @Tag("B233")
    void formOfATaskIsAModal() throws Exception {
        // Given
        var task = new UUID(0, 9);
        var given = new ConcurrentHashMap<String, List<String>>();
        var city = new ChatForm.Field(
                "city", "City", "", ChatForm.Kind.TEXT, List.of(), true, List.of(), ChatForm.Bounds.NONE);
        tasks = new FormTasks(task, new ChatForm("Trip", "Where to?", "Send", List.of(city)), given);
        connect();
        var open = new Choice("Fill in", Choice.FORM, task.toString());
        bot.send(ann(), Piece.Words.plain("Where to?").with(List.of(open)), delivery("a-0"));

        // When
        discord.privately(ANN).presses("Fill in");
        Awaitility.await().atMost(SOON).until(() -> !discord.modals().isEmpty());
        discord.privately(ANN).submits(Map.of("city", "Bern"));

        // Then
        Awaitility.await().atMost(SOON).until(() -> !intake.answers.isEmpty());
        assertEquals(Map.of("city", List.of("Bern")), given);
        assertEquals("Trip", discord.modals().getFirst().path("title").asText());
        Awaitility.await().atMost(SOON).until(() -> discord.unanswered() == 0);
    }

    @Test
    @Tag("B233")
    void formThatDiscordRefusesIsAskedInWords() throws Exception {
        // Given
        var task = new UUID(0, 9);
        var city = new ChatForm.Field(
                "city", "City", "", ChatForm.Kind.TEXT, List.of(), true, List.of(), ChatForm.Bounds.NONE);
        tasks = new FormTasks(task, new ChatForm("Trip", "", "Send", List.of(city)), Map.of());
        connect();
        var open = new Choice("Fill in", Choice.FORM, task.toString());
        bot.send(ann(), Piece.Words.plain("Where to?").with(List.of(open)), delivery("a-0"));
        discord.failNext(1, "POST", "/interactions/.*", 400, "{\"message\": \"Invalid Form Body\", \"code\": 50035}");

        // When
        discord.privately(ANN).presses("Fill in");

        // Then
        Awaitility.await().atMost(SOON).until(() -> discord.notices().size() == 1);
        assertTrue(discord.notices().getFirst().contains("a line for each field"), discord.notices()::toString);
    }

    /** One task with a form. */
    private record FormTasks(UUID task, ChatForm form, Map<String, List<String>> given) implements HumanTasks {
        @Override
        public Optional<TaskQuestion> find(ConversationAddress address, String message) {
            return Optional.empty();
        }

        @Override
        public Optional<TaskQuestion> find(ConversationAddress address, UUID id) {
            return id.equals(task)
                    ? Optional.of(new TaskQuestion(new UUID(0, 1), task, "default", new UUID(0, 2), 1, "{}"))
                    : Optional.empty();
        }

        @Override
        public List<TaskQuestion> open(ConversationAddress address) {
            return List.of();
        }

        @Override
        public void askAgain(ConversationAddress address, TaskQuestion question, String reference) {}

        @Override
        public AnswerResult answerWithOption(TaskQuestion question, Sender sender, String reference, int option) {
            return new AnswerResult.Over();
        }

        @Override
        public Optional<ChatForm> form(TaskQuestion question, String title, String send) {
            return Optional.of(form);
        }

        @Override
        public AnswerResult answerWithForm(
                TaskQuestion question, Sender sender, String reference, Map<String, List<String>> values) {
            given.putAll(values);
            return new AnswerResult.Taken();
        }

        @Override
        public AnswerResult answerWithText(TaskQuestion question, Sender sender, String reference, String text) {
            return new AnswerResult.Over();
        }
    }

    @Test
    void answersMenuCommandsAtOnce() {
        // Given
        connect();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !discord.calls("PUT", "/applications/.*").isEmpty());

        // When
        discord.privately(ANN).commands("help");

        // Then
        Awaitility.await().atMost(SOON).until(() -> intake.answers.stream().anyMatch(text -> text.contains("/new")));
        assertEquals(
                5,
                discord.calls("POST", "/interactions/.*")
                        .getFirst()
                        .body()
                        .path("type")
                        .asInt());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !discord.calls("DELETE", "/webhooks/.*").isEmpty());
    }

    // ---- sending

    @Test
    @Tag("P49")
    void repeatedDeliveryIsSentOnce() throws Exception {
        // Given
        connect();
        Piece words = Piece.Words.plain("hello @everyone");
        discord.cutNext("POST", "/channels/\\d+/messages");
        SendFailure doubt = assertThrows(SendFailure.class, () -> bot.send(ann(), words, delivery("a-0")));
        assertEquals(SendFailure.Kind.IN_DOUBT, doubt.kind());

        // When
        String message = bot.send(ann(), words, delivery("a-0"));

        // Then
        List<JsonNode> answers = discord.privately(ANN).answers();
        assertEquals(1, answers.size());
        assertEquals(message, answers.getFirst().path("id").asText());
        assertEquals(
                "{\"parse\":[]}", answers.getFirst().path("allowed_mentions").toString());
    }

    @Test
    @Tag("B230")
    void repeatedFileIsSentOnce() throws Exception {
        // Given
        connect();
        var file = new Piece.Document("a.txt", "text/plain", new byte[] {65}, Piece.Words.plain(""));
        discord.cutNext("POST", "/channels/\\d+/messages" + FakeDiscord.WITH_FILE);
        SendFailure doubt = assertThrows(SendFailure.class, () -> bot.send(ann(), file, delivery("a-file-0")));
        assertEquals(SendFailure.Kind.IN_DOUBT, doubt.kind());

        // When
        String message = bot.send(ann(), file, delivery("a-file-0"));

        // Then
        assertTrue(bot.remembersDeliveries());
        List<JsonNode> answers = discord.privately(ANN).answers();
        assertEquals(
                List.of(message),
                answers.stream().map(one -> one.path("id").asText()).toList());
    }

    @Test
    @Tag("B231")
    void answerWithATableBecomesComponentsAndStaysThem() throws Exception {
        // Given
        connect();
        Piece.Words table = (Piece.Words)
                bot.pieces("Here:\n\n| a | b |\n|---|---|\n| 1 | 2 |").getFirst();
        String message = bot.send(ann(), Piece.Words.plain("Here …"), delivery("a-0"));

        // When
        bot.edit(ann(), message, table);
        bot.edit(ann(), message, table);

        // Then
        JsonNode shown = discord.privately(ANN).answers().getFirst();
        assertEquals(1 << 15, shown.path("flags").asInt() & 1 << 15);
        assertEquals(17, shown.path("components").path(1).path("type").asInt());

        // When another connection, which does not know the form of the message, edits it
        bot.close();
        connect();
        bot.edit(ann(), message, Piece.Words.plain("It is over."));

        // Then
        assertEquals(List.of("It is over."), discord.privately(ANN).texts());
    }

    @Test
    @Tag("B231")
    void refusedComponentsAreATextInTheSameMessage() throws Exception {
        // Given
        connect();
        discord.refusesComponents();
        var choice = new Choice("Yes", "model", "a");
        String message = bot.send(ann(), Piece.Words.plain("Which …"), delivery("a-0"));

        // When
        bot.edit(ann(), message, Piece.Words.plain("Which one?").with(List.of(choice)));
        String another = bot.send(ann(), Piece.Words.plain("This one?").with(List.of(choice)), delivery("b-0"));

        // Then
        assertEquals(List.of("Which one?", "This one?"), discord.privately(ANN).texts());
        assertEquals(2, Set.of(message, another).size());
        assertEquals(
                "Yes",
                discord.privately(ANN)
                        .answers()
                        .getFirst()
                        .path("components")
                        .path(0)
                        .path("components")
                        .path(0)
                        .path("label")
                        .asText());
    }

    @Test
    void resendsADeletedMessage() throws Exception {
        connect();
        String first = bot.send(ann(), Piece.Words.plain("one"), delivery("a-0"));
        discord.privately(ANN).deletes(first);
        SendFailure failure = assertThrows(SendFailure.class, () -> bot.edit(ann(), first, Piece.Words.plain("two")));
        assertEquals(SendFailure.Kind.GONE, failure.kind());

        bot.send(ann(), Piece.Words.plain("two"), delivery("a-0"));

        assertEquals(List.of("two"), discord.privately(ANN).texts());
    }

    @Test
    @Tag("P45")
    void pressedButtonIsAnsweredAndRemoved() throws Exception {
        // Given
        connect();
        var sure = new Choice("Forget everything", "forget", "everything");
        bot.send(ann(), Piece.Words.plain("Sure?").with(List.of(sure)), delivery("a-0"));

        // When
        discord.privately(ANN).presses("Forget everything");

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> discord.privately(ANN)
                        .answers()
                        .getFirst()
                        .path("components")
                        .findValues("custom_id")
                        .isEmpty());
        assertEquals(
                6,
                discord.calls("POST", "/interactions/.*")
                        .getFirst()
                        .body()
                        .path("type")
                        .asInt());
    }

    @Test
    void sendsFilesAsForms() throws Exception {
        connect();
        var file = new Piece.Document("a.txt", "text/plain", new byte[] {65}, Piece.Words.plain(""));

        bot.send(ann(), file, delivery("a-file-0"));

        JsonNode sent = discord.privately(ANN).answers().getFirst();
        assertEquals("a.txt", sent.path("attachments").path(0).path("filename").asText());
    }

    @Test
    void obeysTheRateLimitsOfDiscord() throws Exception {
        // Given
        connect();
        for (int i = 0; i < 5; i++) {
            bot.send(ann(), Piece.Words.plain("hello " + i), delivery("a-" + i));
        }

        // When
        SendFailure failure =
                assertThrows(SendFailure.class, () -> bot.send(ann(), Piece.Words.plain("too much"), delivery("a-5")));

        // Then
        assertEquals(SendFailure.Kind.LATER, failure.kind());
        assertTrue(failure.retryAfter().toMillis() > 0);
        assertEquals(List.of(), discord.tooFast());
    }
}
