package dev.parley.channels.whatsapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.HumanTasks;
import dev.parley.channels.contract.InboundHttp;
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
import dev.parley.platform.testkit.TestBot;
import dev.parley.platform.testkit.whatsapp.FakeWhatsApp;
import dev.parley.platform.testkit.whatsapp.WhatsAppMessage;
import dev.parley.platform.testkit.whatsapp.WhatsAppPerson;
import dev.parley.platform.testkit.whatsapp.WhatsAppPerson.Sent;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bot against a fake WhatsApp, with an intake that records messages. Webhooks are handed over without HTTP. */
class WhatsAppBotTest {
    private static final String TOKEN = "EAAbot-token_0123456789";
    private static final String APP_SECRET = "0123456789abcdef0123456789abcdef";
    private static final Delivery DELIVERY = new Delivery("d-0", new UUID(0, 1), null);

    @TempDir
    private Path folder;

    private final RecordingIntake intake = new RecordingIntake();
    private final Map<String, String> seen = new ConcurrentHashMap<>();
    private final List<String> moved = new CopyOnWriteArrayList<>();
    private final List<DeliveryReport> reports = new CopyOnWriteArrayList<>();
    private volatile boolean isDatabaseAway;
    private String template = "";
    private FakeWhatsApp whatsapp;
    private Connection bot;
    private InboundHttp.Receiver receiver;

    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            Class<?> result = method.getReturnType();
            return result == Optional.class ? Optional.empty() : result == boolean.class ? false : null;
        }));
    }

    private final class States implements ChatState {
        @Override
        public void recordNote(ConversationAddress address, String note) {
            throw new AssertionError("WhatsApp needs no notes");
        }

        @Override
        public Optional<String> note(ConversationAddress address) {
            return Optional.empty();
        }

        @Override
        public void setWritable(ConversationAddress address, boolean writable) {}

        @Override
        public void moveChat(String name, String from, String to) {
            moved.add("chat " + from + " " + to);
        }

        @Override
        public void movePerson(String name, String from, String to) {
            moved.add("person " + from + " " + to);
        }

        @Override
        public void recordSeen(ConversationAddress address, String message) {
            seen.put(address.chat(), message);
        }

        @Override
        public Optional<String> lastSeenMessage(ConversationAddress address) {
            if (isDatabaseAway) {
                throw new IllegalStateException("the database is away");
            }
            return Optional.ofNullable(seen.get(address.chat()));
        }

        @Override
        public Map<String, String> lastSeenMessages(String name) {
            return seen;
        }
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
        whatsapp = new FakeWhatsApp(TOKEN, APP_SECRET);
        connect();
    }

    private void connect() {
        var blobs = new BlobStore(folder, BlobStore.MOST);
        var meters = new SimpleMeterRegistry();
        BotTokens tokens = reference -> reference.equals("token") ? TOKEN : APP_SECRET;
        var services = new ChatServices(
                tokens,
                new States(),
                stub(BotAudience.class),
                new Everybody(),
                stub(AccountLinks.class),
                blobs,
                (_, _) -> stub(Definitions.class),
                () -> stub(HumanTasks.class),
                (_, _, _) -> Optional.empty(),
                (_, report) -> reports.add(report),
                meters);
        var parley =
                new PluginBots(tokens, new Everybody(), new ContentReader(blobs), services, PowerGrants.NONE, meters);
        var config = new BotConfig(
                "wa",
                WhatsAppPlugin.KIND,
                "token",
                whatsapp.api(),
                "default",
                null,
                Set.of(),
                true,
                false,
                Groups.OFF,
                false,
                null,
                null,
                List.of(),
                true,
                Map.of(WhatsAppPlugin.APP_SECRET, "app", WhatsAppPlugin.VERIFY_TOKEN, "app"),
                Map.of(WhatsAppPlugin.PHONE_NUMBER_ID, FakeWhatsApp.NUMBER_ID, WhatsAppPlugin.TEMPLATE, template));
        ChannelBot configured = parley.bot(config, intake);
        if (bot != null) {
            bot.close();
        }
        bot = new WhatsAppPlugin().connect(configured);
        receiver = new WhatsAppPlugin().inbound().orElseThrow().receiver(configured);
    }

    @AfterEach
    void stop() {
        bot.close();
        whatsapp.close();
    }

    private static ConversationAddress address(WhatsAppPerson person) {
        return new ConversationAddress("wa", person.id(), null);
    }

    private InboundHttp.Answer receive(Sent sent) throws InterruptedException {
        return receive(sent.notification().toString());
    }

    private InboundHttp.Answer receive(String body) throws InterruptedException {
        return receiver.receive(new InboundHttp.Request(
                Map.of("x-hub-signature-256", FakeWhatsApp.signature(APP_SECRET, body)),
                body.getBytes(StandardCharsets.UTF_8),
                "203.0.113.1"));
    }

    private static boolean isTaken(InboundHttp.Answer answer) {
        return answer.equals(new InboundHttp.Answer.Body(200));
    }

    private WhatsAppPerson wrote(String name) throws InterruptedException {
        WhatsAppPerson person = whatsapp.person(name);
        assertTrue(isTaken(receive(person.says("hello"))));
        return person;
    }

    private String send(WhatsAppPerson person, Piece piece) throws SendFailure, InterruptedException {
        return bot.send(address(person), piece, DELIVERY);
    }

    // ---- receiving

    @Test
    @Tag("B201")
    void aWebhookIsAcknowledgedWhenItIsStored() throws Exception {
        // Given
        WhatsAppPerson person = whatsapp.person("Ann");
        Sent sent = person.says("hello");

        // Then
        intake.unavailable = true;
        assertInstanceOf(InboundHttp.Answer.Untaken.class, receive(sent));
        intake.unavailable = false;
        isDatabaseAway = true;
        assertInstanceOf(InboundHttp.Answer.Untaken.class, receive(sent));
        isDatabaseAway = false;
        assertTrue(isTaken(receive(sent)));
        assertTrue(isTaken(receive(sent)));
        assertEquals(
                List.of(sent.id(), sent.id()),
                intake.messages.stream().map(IncomingMessage::reference).toList(),
                "the same reference is the same turn");
    }

    @Test
    @Tag("B201")
    void aBatchOfSeveralPeopleIsTakenInOrder() throws Exception {
        // Given
        WhatsAppPerson ann = whatsapp.person("Ann");
        WhatsAppPerson bob = whatsapp.person("Bob");
        var batch = ann.says("a1").notification();
        var changes = batch.withArray("/entry/0/changes");
        for (Sent sent : List.of(bob.says("b1"), ann.says("a2"), bob.says("b2"))) {
            changes.add(sent.notification().at("/entry/0/changes/0"));
        }

        // When
        assertTrue(isTaken(receive(batch.toString())));

        // Then
        for (WhatsAppPerson person : List.of(ann, bob)) {
            String letter = person == ann ? "a" : "b";
            assertEquals(
                    List.of(letter + 1, letter + 2),
                    intake.messages.stream()
                            .filter(message -> message.address().chat().equals(person.id()))
                            .map(message -> ((Block.Text) message.content().getFirst()).text())
                            .toList());
        }
    }

    @Test
    @Tag("B202")
    void filesAreFetchedWithTheToken() throws Exception {
        WhatsAppPerson person = whatsapp.person("Ann");

        assertTrue(isTaken(receive(person.sendsFile("look", "a.txt", "text/plain", new byte[] {1, 2, 3}))));
        assertTrue(isTaken(receive(
                person.sends("image", content -> content.put("id", "gone").put("mime_type", "image/png")))));

        List<Block> content = intake.messages.getFirst().content();
        assertEquals(Block.text("look"), content.getFirst());
        assertEquals(3, assertInstanceOf(Block.File.class, content.getLast()).size());
        assertTrue(
                intake.messages.getLast().content().toString().contains("cannot be fetched"),
                intake.messages.getLast().content().toString());
    }

    @Test
    @Tag("B203")
    void aNewIdMovesChatAndPerson() throws Exception {
        WhatsAppPerson person = wrote("Ann");
        var message = person.message("system");
        message.putObject("system")
                .put("type", "user_changed_user_id")
                .put("previous_user_id", person.id())
                .put("user_id", "US.2");

        assertTrue(isTaken(receive(person.send(message))));

        assertEquals(List.of("chat " + person.id() + " US.2", "person " + person.id() + " US.2"), moved);
    }

    @Test
    @Tag("B207")
    void statusesAreReported() throws Exception {
        String body = """
                {"entry": [{"changes": [{"field": "messages", "value": {
                  "metadata": {"phone_number_id": "%s"},
                  "statuses": [{"id": "wamid.S", "status": "sent", "biz_opaque_callback_data": "d-0"}]}}]}]}
                """.formatted(FakeWhatsApp.NUMBER_ID);

        assertTrue(isTaken(receive(body)));

        assertEquals(List.of(new DeliveryReport("d-0", "wamid.S", null)), reports);
    }

    @Test
    @Tag("B201")
    void aMalformedMessageDoesNotHoldTheOthers() throws Exception {
        // Given
        WhatsAppPerson person = whatsapp.person("Ann");
        var strange = person.message("text").put("from_user_id", "a b");
        strange.putObject("text").put("body", "strange");
        var batch = person.send(strange).notification();
        batch.withArray("/entry/0/changes")
                .add(person.says("fine").notification().at("/entry/0/changes/0"));

        // Then
        assertTrue(isTaken(receive(batch.toString())));
        assertEquals(1, intake.messages.size());
    }

    // ---- sending

    @Test
    @Tag("B204")
    void sendsTextsChoicesAndFiles() throws Exception {
        // Given
        WhatsAppPerson person = wrote("Ann");
        List<Choice> three = choices(3);

        // When
        send(person, bot.pieces("**Hello** there").getFirst());
        send(person, bot.pieces("Which?", three).getFirst());
        send(person, new Piece.Document("ü.csv", "text/csv", new byte[] {7}, Piece.Words.plain("")));

        // Then
        List<WhatsAppMessage> answers = person.answers();
        assertEquals("*Hello* there", answers.get(0).text());
        assertEquals("Which?", answers.get(1).text());
        assertEquals(3, answers.get(1).choices().size());
        assertEquals("document ü.csv", answers.get(2).text());
        assertEquals(1, answers.get(2).bytes().length);
        assertEquals(
                "d-0",
                answers.getFirst().content().path("biz_opaque_callback_data").asText());
        assertEquals(List.of(), whatsapp.violations());
    }

    private static List<Choice> choices(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> new Choice("Option " + i, Choice.TASK, "value " + i))
                .toList();
    }

    @Test
    @Tag("B204")
    void choicesThatDoNotFitAreListedOrAskedBelow() throws Exception {
        WhatsAppPerson person = wrote("Ann");

        List<Piece> ten = bot.pieces("Which?", choices(10));
        List<Piece> eleven = bot.pieces("Which?", choices(11));
        List<Piece> longer = bot.pieces("word ".repeat(300), choices(2));
        for (Piece piece : List.of(ten.getFirst(), longer.getFirst(), longer.getLast())) {
            send(person, piece);
        }

        assertEquals(10, person.answers().getFirst().choices().size());
        Piece.Words numbered = (Piece.Words) eleven.getFirst();
        assertEquals(List.of(), numbered.choices());
        assertTrue(numbered.plain().contains("11. Option 10"), numbered::plain);
        assertEquals(2, longer.size());
        assertEquals("Choose:", person.answers().getLast().text());
        assertEquals(2, person.answers().getLast().choices().size());
    }

    @Test
    @Tag("B205")
    void afterTheWindowATemplateIsSentOrTheReasonIsSaid() throws Exception {
        // Given
        WhatsAppPerson person = wrote("Ann");
        person.wasSilent();

        // When WhatsApp alone knows, and when the bot knows
        SendFailure refused = failure(person);
        seen.put(person.id(), Instant.now().minus(Duration.ofHours(25)).getEpochSecond() + ":wamid.A");
        SendFailure known = failure(person);

        // Then
        for (SendFailure failure : List.of(refused, known)) {
            assertEquals(Kind.REFUSED, failure.kind());
            assertTrue(String.valueOf(failure.getMessage()).contains("no template"), failure::getMessage);
        }

        // When
        template = "update/en_US";
        connect();
        send(person, Piece.Words.plain("One\ntwo"));

        // Then
        assertEquals(
                List.of("update: One · two"),
                person.answers().stream().map(WhatsAppMessage::text).toList());
        assertEquals(
                Kind.REFUSED,
                assertThrows(SendFailure.class, () -> send(person, Piece.Words.plain("x".repeat(1_025))))
                        .kind());
        assertEquals(
                Kind.REFUSED,
                assertThrows(
                                SendFailure.class,
                                () -> send(
                                        person,
                                        new Piece.Document("a", "text/plain", new byte[1], Piece.Words.plain(""))))
                        .kind());

        // When the person writes again
        assertTrue(isTaken(receive(person.says("here"))));
        send(person, Piece.Words.plain("free"));

        // Then
        assertEquals("free", person.answers().getLast().text());
    }

    @Test
    @Tag("B205")
    void anOldMessageThatComesAgainDoesNotCloseTheWindow() throws Exception {
        WhatsAppPerson person = wrote("Ann");
        var old = person.message("text").put("timestamp", "1739321024");
        old.putObject("text").put("body", "old");

        assertTrue(isTaken(receive(person.send(old))));

        send(person, Piece.Words.plain("free"));
        assertEquals(1, person.answers().size());
    }

    @Test
    @Tag("B206")
    void mapsFailuresToTheirKinds() throws Exception {
        WhatsAppPerson person = wrote("Ann");
        whatsapp.failNext(1, 429, 130_429, "Rate limit hit", "7");
        SendFailure fast = failure(person);
        assertEquals(Kind.LATER, fast.kind());
        assertEquals(Duration.ofSeconds(7), fast.retryAfter());
        whatsapp.failNext(1, 400, 131_056, "Pair rate limit hit", null);
        assertEquals(Duration.ofSeconds(6), failure(person).retryAfter());

        whatsapp.failNext(1, 502, 0, "Bad Gateway", null);
        assertEquals(Kind.IN_DOUBT, failure(person).kind());
        whatsapp.failNext(1, 200, 0, "not JSON", null);
        assertEquals(Kind.IN_DOUBT, failure(person).kind());
        whatsapp.cutAfter();
        assertEquals(Kind.IN_DOUBT, failure(person).kind());

        whatsapp.failNext(1, 400, 100, "Bad: " + TOKEN, null);
        SendFailure refused = failure(person);
        assertEquals(Kind.REFUSED, refused.kind());
        assertFalse(String.valueOf(refused.getMessage()).contains(TOKEN), refused::getMessage);

        whatsapp.failNext(1, 401, 190, "Session has expired", null);
        assertEquals(Kind.REVOKED, failure(person).kind());
        assertTrue(bot.problem().isPresent());
        send(person, Piece.Words.plain("again"));
        assertTrue(bot.problem().isEmpty());
        person.closes();
        assertEquals(Kind.CLOSED, failure(person).kind());
    }

    private SendFailure failure(WhatsAppPerson person) {
        return assertThrows(SendFailure.class, () -> send(person, Piece.Words.plain("x")));
    }

    @Test
    @Tag("B206")
    void moreThanOnePersonGetsIsRefusedForAWhile() throws Exception {
        WhatsAppPerson person = wrote("Ann");
        for (int i = 0; i < 45; i++) {
            send(person, Piece.Words.plain("x"));
        }

        assertEquals(Kind.LATER, failure(person).kind());
    }

    @Test
    @Tag("B204")
    void typingIsShownWithTheLastMessageAndNotAllTheTime() throws Exception {
        WhatsAppPerson person = whatsapp.person("Ann");
        bot.working(address(person));
        Sent sent = person.says("hello");
        assertTrue(isTaken(receive(sent)));
        send(person, Piece.Words.plain("…"));

        bot.working(address(person));
        bot.working(address(person));

        assertEquals(
                List.of(sent.id()),
                whatsapp.notices().stream()
                        .map(notice -> notice.path("message_id").asText())
                        .toList());
    }

    @Test
    @Tag("B201")
    void theAddressIsVerifiedWithTheTokenThatTheOperatorChose() {
        var query = Map.of("hub.mode", "subscribe", "hub.challenge", "42", "hub.verify_token", APP_SECRET);

        assertEquals(new InboundHttp.Answer.Text("42"), receiver.verify(query));
        for (Map<String, String> wrong : List.of(
                Map.<String, String>of(),
                Map.of("hub.mode", "subscribe", "hub.challenge", "42", "hub.verify_token", "x"),
                Map.of("hub.mode", "subscribe", "hub.challenge", "<script>", "hub.verify_token", APP_SECRET))) {
            assertEquals(new InboundHttp.Answer.Body(401), receiver.verify(wrong));
        }
    }

    @Test
    @Tag("B202")
    void filesElsewhereAreNotFetched() throws Exception {
        // Given an answer of the API that names another host
        var api = new WhatsAppApi(new TestBot(
                "wa",
                URI.create(whatsapp.api().toString().replace("127.0.0.1", "localhost")),
                Groups.OFF,
                Map.of("token", "env:T"),
                Map.of(WhatsAppPlugin.PHONE_NUMBER_ID, FakeWhatsApp.NUMBER_ID),
                _ -> TOKEN));
        WhatsAppPerson person = whatsapp.person("Ann");
        String media = person.sendsFile("", "a", "text/plain", new byte[1])
                .notification()
                .findPath("document")
                .path("id")
                .asText();

        // Then
        var e = assertThrows(WhatsAppApiException.class, () -> api.download(media, 10));
        assertTrue(String.valueOf(e.getMessage()).contains("does not belong to Meta"), e::getMessage);
        assertFalse(e.isTransient());
        api.close();
    }
}
