package dev.parley.channels.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Growth;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.channels.testing.ChannelDouble.Fault;
import dev.parley.channels.testing.ChannelDouble.Person;
import dev.parley.channels.testing.ChannelDouble.Sent;
import dev.parley.channels.testing.InMemoryParley.Turn;
import dev.parley.domain.protocol.Choice;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every channel promises, checked against a double of the other side and a Parley in memory. The test of a channel
 * extends this class; each test has a new double. Tests of what the channel or its double cannot do are skipped.
 */
@Timeout(60)
public abstract class ChannelPluginContract {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final int PARAGRAPHS = 320;
    /** The smallest PNG. */
    private static final byte[] PICTURE = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

    private ChannelPlugin plugin;
    private ChannelDouble platform;
    private InMemoryParley parley;
    private Connection connection;
    private InboundHttp.@Nullable Receiver receiver;
    private int deliveries;

    /** A new instance of the plug-in. */
    protected abstract ChannelPlugin plugin();

    /** Starts a double of the other side, which the contract closes. */
    protected abstract ChannelDouble start() throws Exception;

    /** The bot's connection, for further tests of the channel. */
    protected final Connection connection() {
        return connection;
    }

    /** The Parley to which the channel hands over. */
    protected final InMemoryParley parley() {
        return parley;
    }

    @BeforeEach
    final void startBot() throws Exception {
        plugin = plugin();
        platform = start();
        parley = new InMemoryParley(platform.settings());
        connection = assertTimeoutPreemptively(CONNECT, () -> plugin.connect(parley.bot()));
        receiver = plugin.inbound().map(http -> http.receiver(parley.bot())).orElse(null);
        if (receiver != null) {
            platform.postsTo(receiver);
        }
        platform.awaitReceiving();
    }

    @AfterEach
    final void stopBot() {
        connection.close();
        platform.close();
        assertEquals(List.of(), parley.violations());
        assertEquals(List.of(), platform.violations());
    }

    // ---- steps

    /** Waits until a condition holds, for twenty seconds at most. */
    protected static void await(BooleanSupplier condition, String what) {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("waited in vain: " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private Turn taken(int number) {
        await(() -> parley.turns().size() >= number, "message " + number);
        return parley.turns().get(number - 1);
    }

    /** The conversation of a person who has just written. */
    private ConversationAddress begins(Person person) {
        int before = parley.turns().size();
        Sent sent = person.writes("hello");
        ConversationAddress address = taken(before + 1).address();
        await(sent::isAcknowledged, "the acknowledgement");
        return address;
    }

    private Delivery delivery() {
        return delivery(false);
    }

    private Delivery delivery(boolean grows) {
        return new Delivery("delivery-" + ++deliveries, new UUID(0, deliveries), null, grows);
    }

    private void sends(ConversationAddress to, String text) throws SendFailure, InterruptedException {
        for (Piece piece : connection.pieces(text)) {
            connection.send(to, piece, delivery());
        }
    }

    private SendFailure failure(ConversationAddress to, String text) {
        Piece piece = connection.pieces(text).getFirst();
        SendFailure failure = assertThrows(SendFailure.class, () -> connection.send(to, piece, delivery()));
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            assertFalse(message.contains(platform.settings().token()), "a failure contains the token");
            platform.settings()
                    .secrets()
                    .values()
                    .forEach(secret -> assertFalse(message.contains(secret), "a failure contains a secret"));
        }
        return failure;
    }

    private void fails(Fault fault) {
        assumeTrue(platform.failsNext(fault), () -> "the double cannot: " + fault);
    }

    private static void assertReads(Person person, String... texts) {
        try {
            await(() -> person.reads().equals(List.of(texts)), "the messages");
        } catch (AssertionError e) {
            assertEquals(List.of(texts), person.reads());
            throw e;
        }
    }

    // ---- the plug-in

    @Test
    final void theJarOffersThePlugInUnderItsKind() {
        assertTrue(plugin.kind().matches("[a-z][a-z0-9_-]{0,30}"), plugin.kind());
        assertTrue(
                ServiceLoader.load(ChannelPlugin.class).stream()
                        .anyMatch(provider -> provider.type().equals(plugin.getClass())),
                "META-INF/services/" + ChannelPlugin.class.getName() + " does not name " + plugin.getClass());
    }

    @Test
    final void aBotClosesInTimeAndStartsAgain() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);

        assertTimeoutPreemptively(CONNECT, connection::close);
        connection = assertTimeoutPreemptively(CONNECT, () -> plugin.connect(parley.bot()));
        platform.awaitReceiving();

        sends(address, "back again");
        assertReads(person, "back again");
    }

    // ---- what comes in

    @Test
    final void aMessageIsOneTurnHoweverOftenItComes() {
        Person person = platform.person();
        Sent sent = person.writes("hello");
        Turn turn = taken(1);
        await(sent::isAcknowledged, "the acknowledgement");

        sent.again();
        sent.again();
        person.writes("the next");

        assertEquals("the next", taken(2).text());
        assertEquals("hello", turn.text());
        assertEquals(turn.sender().id(), taken(2).sender().id());
        assertEquals(turn.address(), taken(2).address());
        assertFalse(turn.shared());
        assertEquals(2, parley.turns().size());
    }

    @Test
    final void whatIsNotStoredIsNotAcknowledged() {
        Person person = platform.person();
        parley.isAway(true);
        int before = parley.calls();
        Sent sent = person.writes("safe");
        await(() -> parley.calls() > before, "the message");
        assertFalse(sent.isAcknowledged());

        parley.isAway(false);
        await(
                () -> {
                    if (!sent.isAcknowledged()) {
                        sent.again();
                    }
                    return sent.isAcknowledged();
                },
                "the acknowledgement");

        assertEquals(List.of("safe"), parley.turns().stream().map(Turn::text).toList());
    }

    @Test
    final void aRefusedMessageIsNotBroughtForEver() {
        Person person = platform.person();
        parley.refuses(true);
        Sent sent = person.writes("no");
        await(sent::isAcknowledged, "the acknowledgement");
        parley.refuses(false);

        person.writes("yes");

        assertEquals("yes", taken(1).text());
        assertEquals(1, parley.turns().size());
    }

    @Test
    final void peopleHaveConversationsOfTheirOwn() throws Exception {
        Person ann = platform.person();
        Person bob = platform.person();
        ConversationAddress ofAnn = begins(ann);
        ConversationAddress ofBob = begins(bob);
        assertNotEquals(ofAnn, ofBob);
        assertNotEquals(taken(1).sender().id(), taken(2).sender().id());

        sends(ofAnn, "for Ann");
        sends(ofBob, "for Bob");

        assertReads(ann, "for Ann");
        assertReads(bob, "for Bob");
    }

    @Test
    final void textsArriveUnchanged() {
        Person person = platform.person();
        List<String> texts =
                List.of("1 < 2 & 3 > 2", "ünïcödé 👩‍👩‍👧 日本語", "first line\nsecond line", "x".repeat(3_000));

        texts.forEach(person::writes);

        taken(texts.size());
        assertEquals(texts, parley.turns().stream().map(Turn::text).toList());
    }

    @Test
    final void aFileArrivesWithItsBytes() {
        byte[] bytes = "day,amount\n1,2\n".getBytes(StandardCharsets.UTF_8);
        var sent = platform.person().sends("look at this", "amounts.csv", "text/csv", bytes);
        assumeTrue(sent.isPresent(), "the channel takes no files");

        Turn turn = taken(1);

        assertEquals("look at this", turn.text());
        assertEquals(1, turn.files().size());
        assertEquals("amounts.csv", turn.files().getFirst().name());
        assertArrayEquals(bytes, turn.files().getFirst().bytes());
    }

    @Test
    final void requestsWithoutASignatureAreAnsweredAsThoseToNobody() throws Exception {
        assumeTrue(receiver != null, "the channel fetches what it receives");
        InboundHttp http = plugin.inbound().orElseThrow();
        for (String body : List.of("", "{}", "[]", "no JSON", "{\"type\":\"message\"}")) {
            var request = new InboundHttp.Request(
                    Map.of("content-type", "application/json"), body.getBytes(StandardCharsets.UTF_8), "203.0.113.7");

            assertEquals(http.unknown(), receiver.receive(request), body);
        }
        assertEquals(List.of(), parley.turns());
    }

    // ---- buttons and forms

    @Test
    final void aPressIsTheChoiceOfItsButtonOnce() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        var choices = List.of(new Choice("First", "model", "one"), new Choice("Second", "model", "two"));
        for (Piece piece : connection.pieces("Which one?", choices)) {
            connection.send(address, piece, delivery());
        }

        var press = person.presses("Second");
        assumeTrue(press.isPresent(), "the channel has no buttons");
        await(() -> !parley.choices().isEmpty(), "the choice");
        press.get().again();

        person.writes("afterwards");
        assertEquals("afterwards", taken(2).text());
        assertEquals(
                List.of("model two"),
                parley.choices().stream()
                        .map(choice -> choice.action() + " " + choice.value())
                        .toList());
    }

    @Test
    final void aFormReturnsItsValues() throws Exception {
        assumeTrue(plugin.showsForms(), "the channel has no forms");
        Person person = platform.person();
        ConversationAddress address = begins(person);
        var choices = List.of(new Choice("Answer", Choice.FORM, "0"));
        for (Piece piece : connection.pieces("There is a question.", choices)) {
            connection.send(address, piece, delivery());
        }
        var values = Map.of(
                "reason", List.of("I am moving"),
                "days", List.of("2"),
                "paid", List.of("true"),
                "kind", List.of("move"));

        assumeTrue(person.presses("Answer").isPresent(), "the double has no buttons");
        var sent = person.fills(values);
        assumeTrue(sent.isPresent(), "the double has no forms");
        await(() -> !parley.forms().isEmpty(), "the form");

        assertEquals(1, parley.forms().size());
        assertEquals(values, parley.forms().getFirst().values());
        assertEquals(address, parley.forms().getFirst().address());
        assertEquals(taken(1).sender().id(), parley.forms().getFirst().author().id());
    }

    // ---- what goes out

    @Test
    final void aReplyReadsAsItWasWritten() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);

        sends(address, "5 < 6 & 7 > 3, a_b_c, 100 %, ünïcödé 👩‍👩‍👧");

        assertReads(person, "5 < 6 & 7 > 3, a_b_c, 100 %, ünïcödé 👩‍👩‍👧");
    }

    @Test
    final void aLongReplyIsCompleteAndInOrder() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        String text = IntStream.range(0, PARAGRAPHS)
                .mapToObj(ChannelPluginContract::paragraph)
                .collect(Collectors.joining("\n\n"));

        sends(address, text);

        await(() -> isComplete(String.join("\n\n", person.reads())), "all paragraphs in order");
    }

    private static String paragraph(int number) {
        return "Paragraph %d has some words of its own.".formatted(number);
    }

    private static boolean isComplete(String text) {
        int position = 0;
        for (int i = 0; i < PARAGRAPHS && position >= 0; i++) {
            position = text.indexOf(paragraph(i), position);
        }
        return position >= 0;
    }

    @Test
    final void noMessageIsEmptyOrEndsInsideACharacter() {
        for (String text :
                List.of("👩‍👩‍👧".repeat(5_000), "word ".repeat(9_000), "\n\n\n a", "```\n" + "x\n".repeat(9_000))) {
            List<Piece> pieces = connection.pieces(text);

            assertFalse(pieces.isEmpty());
            for (Piece piece : pieces) {
                if (piece instanceof Piece.Words words) {
                    assertFalse(words.plain().isBlank(), "an empty message");
                    assertFalse(isTorn(words.plain()) || isTorn(words.markup()), "half a character");
                }
            }
        }
    }

    private static boolean isTorn(String text) {
        return !text.isEmpty()
                && (Character.isLowSurrogate(text.charAt(0))
                        || Character.isHighSurrogate(text.charAt(text.length() - 1)));
    }

    @Test
    final void referencesOfMessagesAreShortAndDifferent() throws Exception {
        ConversationAddress address = begins(platform.person());
        Set<String> references = new HashSet<>();
        for (String text : List.of("one", "two", "three")) {
            String reference = connection.send(address, connection.pieces(text).getFirst(), delivery());

            assertTrue(reference.matches("\\P{Cntrl}{1,126}"), reference);
            references.add(reference);
        }
        assertEquals(3, references.size());
    }

    @Test
    final void anEditReplacesTheMessageHoweverOftenItComes() throws Exception {
        assumeTrue(connection.editsMessages() && !connection.sendsOnce(), "messages stay as they are");
        Person person = platform.person();
        ConversationAddress address = begins(person);
        String message =
                connection.send(address, connection.pieces("first words").getFirst(), delivery());
        var words = (Piece.Words) connection.pieces("the whole answer").getFirst();

        connection.edit(address, message, words);
        connection.edit(address, message, words);

        assertReads(person, "the whole answer");
    }

    @Test
    final void aMessageWithTheSameIdAppearsOnce() throws Exception {
        assumeTrue(connection.sendsOnce(), "the other side does not deduplicate");
        Person person = platform.person();
        ConversationAddress address = begins(person);
        Delivery delivery = delivery();
        Piece piece = connection.pieces("only once").getFirst();

        String first = connection.send(address, piece, delivery);
        assertEquals(first, connection.send(address, piece, delivery));

        assertReads(person, "only once");
    }

    @Test
    final void aFileIsSentWithItsBytesOrRefused() throws Exception {
        assumeTrue(connection.largestFile() >= PICTURE.length, "the channel sends texts alone");
        Person person = platform.person();
        ConversationAddress address = begins(person);
        assumeTrue(person.files().isPresent(), "the double does not know files");

        connection.send(
                address, new Piece.Document("dot.png", "image/png", PICTURE, Piece.Words.plain("")), delivery());

        await(() -> person.files().orElseThrow().size() == 1, "the file");
        assertArrayEquals(PICTURE, person.files().orElseThrow().getFirst());
    }

    @Test
    final void anAnswerThatGrowsEndsAsOneMessage() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        Growth growth = connection.growth(address);
        assumeTrue(growth != Growth.NONE, "answers do not grow here");
        Delivery delivery = delivery(growth == Growth.MESSAGE);
        var frames = new ArrayList<GrowingAnswer>();
        for (String text : List.of("", "Rain", "Rain in Oslo", "Rain in Oslo today")) {
            frames.add(new GrowingAnswer(delivery.turn(), text, "Looking …", List.of()));
        }
        var whole = (Piece.Words) connection.pieces("Rain in Oslo today.").getFirst();

        if (growth == Growth.MESSAGE) {
            String message = connection.send(address, connection.opening(frames.getFirst()), delivery);
            for (GrowingAnswer frame : frames) {
                connection.grow(address, message, frame);
            }
            connection.edit(address, message, whole);
            connection.edit(address, message, whole);
        } else {
            Set<String> previews = new HashSet<>();
            for (GrowingAnswer frame : frames) {
                previews.add(String.valueOf(connection.preview(address, frame)));
            }
            assertEquals(1, previews.size(), "one preview for a turn");
            connection.send(address, whole, delivery);
        }
        connection.ended(address, delivery.turn());

        assertReads(person, "Rain in Oslo today.");
    }

    @Test
    final void limitsAndSignsOfActivityAreThereForEachConversation() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        Limits limits = connection.limits(address);

        assertTrue(limits.bot() > 0 && limits.burst() > 0 && limits.calls() > 0, limits.toString());
        assertTrue(limits.period().isPositive() && limits.edits().isPositive(), limits.toString());
        connection.working(address);
        assertReads(person);
    }

    // ---- what fails

    @Test
    final void aRateLimitIsLaterWithItsWait() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        fails(new Fault.TooFast(Duration.ofSeconds(7)));

        SendFailure failure = failure(address, "calm");

        assertEquals(Kind.LATER, failure.kind());
        assertNotNull(failure.retryAfter(), "the wait is lost");
        assertTrue(failure.retryAfter().compareTo(Duration.ofSeconds(7)) >= 0, failure.retryAfter()::toString);
        sends(address, "calm");
        assertReads(person, "calm");
    }

    @Test
    final void aGatewayErrorIsLaterOrInDoubt() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        fails(new Fault.Away());

        Kind kind = failure(address, "patience").kind();

        assertTrue(kind == Kind.LATER || kind == Kind.IN_DOUBT, kind::toString);
        sends(address, "patience");
        assertReads(person, "patience");
    }

    @Test
    final void aLostAnswerIsInDoubtAndNothingIsRepeated() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        fails(new Fault.LostAnswer());
        Delivery delivery = delivery();
        Piece piece = connection.pieces("only once").getFirst();

        SendFailure failure = assertThrows(SendFailure.class, () -> connection.send(address, piece, delivery));
        assertTrue(
                failure.kind() == Kind.IN_DOUBT || (connection.sendsOnce() && failure.kind() == Kind.LATER),
                failure.kind()::toString);
        if (connection.sendsOnce()) {
            connection.send(address, piece, delivery);
        }

        assertReads(person, "only once");
    }

    @Test
    final void aRefusedMessageStopsNoOther() throws Exception {
        Person person = platform.person();
        ConversationAddress address = begins(person);
        fails(new Fault.Refused("bad " + platform.settings().token()));

        assertEquals(Kind.REFUSED, failure(address, "no").kind());

        sends(address, "yes");
        assertReads(person, "yes");
    }

    @Test
    final void aSecretThatIsNotAcceptedIsRevoked() throws Exception {
        ConversationAddress address = begins(platform.person());
        fails(new Fault.Revoked("wrong " + platform.settings().token()));

        assertEquals(Kind.REVOKED, failure(address, "no").kind());
    }

    @Test
    final void aClosedConversationStopsNoOther() throws Exception {
        Person ann = platform.person();
        Person bob = platform.person();
        ConversationAddress ofAnn = begins(ann);
        ConversationAddress ofBob = begins(bob);
        assumeTrue(ann.blocks(), "nobody can block the bot");

        assertEquals(Kind.CLOSED, failure(ofAnn, "are you there?").kind());

        sends(ofBob, "here");
        assertReads(bob, "here");
        assertReads(ann);
    }
}
