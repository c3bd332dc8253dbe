package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.GrowingAnswer.Activity;
import dev.parley.channels.contract.GrowingAnswer.State;
import dev.parley.channels.contract.Growth;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.testkit.slack.FakeSlack;
import dev.parley.platform.testkit.slack.SlackCall;
import dev.parley.platform.testkit.slack.SlackChat;
import dev.parley.platform.testkit.slack.SlackMessage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Growing answers of a bot against a fake Slack whose app is an agent. */
class SlackStreamTest {
    private static final UUID TURN = new UUID(0, 1);
    private static final Delivery GROWS = new Delivery("d", TURN, null, true);
    private static final String BEGUN = "The pump of hall 3 stops";
    private static final String WHOLE = "The pump of hall 3 stops at noon, as it did yesterday.";

    private SlackFixture fixture;
    private FakeSlack slack;
    private Connection bot;
    private SlackChat chat;
    private ConversationAddress thread;

    @BeforeEach
    void start() throws IOException {
        fixture = new SlackFixture();
        slack = fixture.slack();
        slack.becomesAgent();
        bot = fixture.bot();
        chat = slack.direct(slack.user("Ann", "en-US"));
        thread =
                new ConversationAddress("slack", chat.user(), chat.says("when?").time());
        awaitTeam();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** The bot knows its workspace soon after its start, and can stream then. */
    private void awaitTeam() {
        Awaitility.await()
                .atMost(SlackFixture.SOON)
                .until(() -> bot.limits(thread).edits().toSeconds() == 2);
    }

    private static GrowingAnswer answer(String text, Activity... activities) {
        return new GrowingAnswer(TURN, text, "", List.of(activities));
    }

    private String begin(GrowingAnswer answer) throws SendFailure, InterruptedException {
        return bot.send(thread, bot.opening(answer), GROWS);
    }

    private void finish(String message, String text) throws SendFailure, InterruptedException {
        bot.edit(thread, message, ((Piece.Words) bot.pieces(text).getFirst()).asRated());
    }

    private SlackMessage only() {
        assertEquals(1, chat.answers().size(), chat.answers()::toString);
        return chat.answers().getFirst();
    }

    private List<String> calls() {
        return List.of("chat.startStream", "chat.appendStream", "chat.stopStream", "chat.postMessage", "chat.update")
                .stream()
                .flatMap(method -> slack.calls(method).stream())
                .map(SlackCall::method)
                .toList();
    }

    @Test
    @Tag("B192")
    void anAnswerIsStreamedToItsReaderWithACardForEachCall() throws Exception {
        // When
        String message = begin(answer("", new Activity("0-a", "search", State.RUNNING)));
        bot.grow(thread, message, answer(BEGUN, new Activity("0-a", "search", State.DONE)));
        bot.grow(thread, message, answer(WHOLE, new Activity("0-a", "search", State.DONE)));
        assertTrue(slack.isStreaming(only()));
        finish(message, WHOLE);

        // Then
        assertEquals(WHOLE, only().text());
        assertEquals(List.of("markdown", "task_update", "context_actions"), only().types());
        assertEquals("complete", only().blocks().path(1).path("status").asText());
        assertFalse(slack.isStreaming(only()));
        assertEquals(List.of("chat.startStream", "chat.appendStream", "chat.appendStream", "chat.stopStream"), calls());
        JsonNode start = slack.calls("chat.startStream").getFirst().params();
        assertEquals(chat.user(), start.path("recipient_user_id").asText());
        assertEquals("T0", start.path("recipient_team_id").asText());
        assertEquals(thread.topic(), start.path("thread_ts").asText());
    }

    @Test
    @Tag("B192")
    void theSameEndTwiceIsOneAnswer() throws Exception {
        String message = begin(answer(BEGUN));
        finish(message, WHOLE);
        finish(message, WHOLE);

        assertEquals(WHOLE, only().text());
        assertEquals(List.of(), slack.calls("chat.update"));
    }

    @Test
    @Tag("B192")
    void tablesComeAsBlocksAtTheEnd() throws Exception {
        String message = begin(answer("All pumps of the hall:\n\n| pump"));
        finish(message, "All pumps of the hall:\n\n| pump | bar |\n|--|--|\n| A | 1 |");

        assertEquals(List.of("markdown", "table", "context_actions"), only().types());
    }

    @ParameterizedTest
    @Tag("B193")
    @ValueSource(strings = {"message_not_in_streaming_state", "streaming_state_conflict", "message_not_owned_by_app"})
    void aDeadStreamGoesOnByEditsOfTheSameMessage(String error) throws Exception {
        // Given
        String message = begin(answer(BEGUN));
        slack.endStreams(error);

        // When
        bot.grow(thread, message, answer(WHOLE));
        String shown = only().text();
        finish(message, WHOLE + " The end.");

        // Then
        assertEquals(WHOLE, shown);
        assertEquals(WHOLE + " The end.", only().text());
    }

    @Test
    @Tag("B193")
    void aStreamThatDiesBeforeItsEndIsReplaced() throws Exception {
        String message = begin(answer(BEGUN));
        slack.endStreams("message_not_in_streaming_state");

        finish(message, WHOLE);

        assertEquals(WHOLE, only().text());
    }

    @Test
    @Tag("B193")
    void aStreamEndsBeforeSlackEndsIt() throws Exception {
        // Given
        String message = begin(answer(BEGUN));
        fixture.pass(Duration.ofSeconds(241));

        // When
        bot.grow(thread, message, answer(WHOLE));

        // Then
        assertFalse(slack.isStreaming(only()));
        assertEquals(WHOLE, only().text());
        finish(message, WHOLE + " The end.");
        assertEquals(WHOLE + " The end.", only().text());
    }

    @Test
    @Tag("B193")
    void aStreamThatSaysNothingTellsAgainWhatRuns() throws Exception {
        String message = begin(answer("", new Activity("0-a", "search", State.RUNNING)));
        bot.working(thread);
        assertEquals(0, slack.calls("chat.appendStream").size());
        fixture.pass(Duration.ofSeconds(21));

        bot.working(thread);
        bot.working(thread);

        assertEquals(1, slack.calls("chat.appendStream").size());
        finish(message, WHOLE);
        assertEquals(WHOLE, only().text());
    }

    @Test
    @Tag("B250")
    void aStreamThatHasNothingToSayEndsBeforeSlackEndsIt() throws Exception {
        // Given
        String message = begin(answer(BEGUN));
        fixture.pass(Duration.ofSeconds(21));

        // When
        bot.working(thread);

        // Then
        assertFalse(slack.isStreaming(only()));
        bot.grow(thread, message, answer(WHOLE));
        assertEquals(WHOLE, only().text());
    }

    @Test
    @Tag("B250")
    void aStreamEndsInTimeAlsoWhileAToolRuns() throws Exception {
        // Given
        begin(answer(BEGUN, new Activity("0-a", "search", State.RUNNING)));
        for (int second = 0; second < 240; second += 20) {
            fixture.pass(Duration.ofSeconds(20));
            bot.working(thread);
            assertTrue(slack.isStreaming(only()) || second >= 220, () -> only().toString());
        }

        // When
        fixture.pass(Duration.ofSeconds(1));
        bot.working(thread);

        // Then
        assertFalse(slack.isStreaming(only()));
    }

    @Test
    @Tag("B193")
    void aStreamThatRefusesItsCardsEndsWithoutThem() throws Exception {
        // Given
        String message = begin(answer(BEGUN, new Activity("0-a", "search", State.RUNNING)));
        slack.failNext("chat.appendStream", 1, 200, "invalid_chunks", null);
        slack.failNext("chat.stopStream", 1, 200, "invalid_chunks", null);

        // When
        bot.grow(thread, message, answer(WHOLE));

        // Then
        assertFalse(slack.isStreaming(only()));
        assertEquals(WHOLE, only().text());
        assertEquals(1, slack.calls("chat.update").size());
    }

    @Test
    @Tag("B196")
    void aCardShowsItsSourcesOnce() throws Exception {
        // Given
        var done = new Activity("0-a", "search", State.DONE, List.of(URI.create("https://tides.example/tables?id=7")));
        String message = begin(answer("", new Activity("0-a", "search", State.RUNNING)));

        // When
        bot.grow(thread, message, answer("", done));
        fixture.pass(Duration.ofSeconds(21));
        bot.working(thread);

        // Then
        List<String> chunks = slack.calls("chat.appendStream").stream()
                .map(call -> call.params().path("chunks").asText())
                .toList();
        assertTrue(
                chunks.getFirst()
                        .contains("\"sources\":[{\"type\":\"url\",\"url\":\"https://tides.example/tables?id=7\","
                                + "\"text\":\"tides.example/tables\"}]"),
                chunks::toString);
        assertFalse(chunks.getLast().contains("sources"), chunks::toString);
    }

    @Test
    @Tag("B198")
    void answersInThreadsAskForAnOpinionAlsoWhereTheyWereNotStreamed() throws Exception {
        // When
        String message = bot.send(thread, Piece.Words.plain("It …"), new Delivery("d", TURN, null));
        finish(message, WHOLE);
        String help = bot.send(thread, Piece.Words.plain("I …"), new Delivery("e", TURN, null));
        bot.edit(thread, help, Piece.Words.plain("I know these commands"));

        // Then
        assertEquals(
                List.of("section", "context_actions"), chat.answers().getFirst().types());
        assertEquals(List.of("section"), chat.answers().getLast().types());
    }

    @Test
    @Tag("B198")
    void whereSlackRefusesThumbsTheAnswerComesWithoutThem() throws Exception {
        // Given
        String first = bot.send(thread, Piece.Words.plain("It …"), new Delivery("d", TURN, null));
        String second = bot.send(thread, Piece.Words.plain("It …"), new Delivery("e", TURN, null));
        slack.failNext("chat.update", 2, 200, "invalid_blocks", null);

        // When
        finish(first, WHOLE);
        finish(second, WHOLE);

        // Then
        chat.answers().forEach(answer -> assertEquals(List.of("section"), answer.types()));
        assertEquals(4, slack.calls("chat.update").size());
    }

    @Test
    @Tag("B193")
    void inAChannelThatAnotherProcessWasAskedInTheReaderIsWhoBeganTheThread() throws Exception {
        // Given
        SlackChat channel = slack.channel("LOCKS", chat.user());
        thread = new ConversationAddress(
                "slack", channel.id(), channel.says("when?").time());

        // When
        begin(answer(BEGUN));

        // Then
        JsonNode start = slack.calls("chat.startStream").getFirst().params();
        assertEquals(chat.user(), start.path("recipient_user_id").asText());
        assertEquals("T0", start.path("recipient_team_id").asText());
    }

    @Test
    @Tag("B250")
    void whatTheReaderStoppedGrowsNoMore() throws Exception {
        // Given
        String message = begin(answer(BEGUN));
        slack.endStreams("stopped_by_user");

        // When
        bot.grow(thread, message, answer(WHOLE));
        bot.grow(thread, message, answer(WHOLE + " More"));

        // Then
        assertEquals("The pump of hall 3 ", only().text());
        assertEquals(List.of("stop:" + chat.user() + ":" + message), fixture.handled(), "its turn is told, too");
        assertEquals(List.of("chat.startStream", "chat.appendStream"), calls());
        finish(message, "Stopped.");
        assertEquals("Stopped.", only().text());
    }

    @Test
    @Tag("B193")
    void aLostAnswerIsFollowedByTheWholeTextOnce() throws Exception {
        // Given
        String message = begin(answer(BEGUN));
        slack.cutAfter("chat.appendStream");
        SendFailure lost = assertThrows(SendFailure.class, () -> bot.grow(thread, message, answer(WHOLE)));
        assertEquals(Kind.IN_DOUBT, lost.kind());

        // When
        bot.grow(thread, message, answer(WHOLE + " More"));
        finish(message, WHOLE);

        // Then
        assertEquals(WHOLE, only().text());
    }

    @Test
    @Tag("B193")
    void aLostEndIsRepeatedByAnEdit() throws Exception {
        String message = begin(answer(BEGUN));
        slack.cutAfter("chat.stopStream");
        assertThrows(SendFailure.class, () -> finish(message, WHOLE));

        finish(message, WHOLE);

        assertEquals(WHOLE, only().text());
    }

    @Test
    @Tag("B193")
    void anotherProcessEndsTheStreamAndEditsItsMessage() throws Exception {
        // Given
        String message = begin(answer(BEGUN));

        // When
        bot = fixture.reconnect();
        bot.grow(thread, message, answer(WHOLE));
        finish(message, WHOLE + " The end.");

        // Then
        assertEquals(WHOLE + " The end.", only().text());
        assertFalse(slack.isStreaming(only()));
    }

    @ParameterizedTest
    @Tag("B193")
    @ValueSource(
            strings = {
                "unknown_method",
                "not_authorized",
                "channel_type_not_supported",
                "missing_recipient_team_id",
                "missing_recipient_user_id",
                "invalid_chunks",
                "no_text",
                "msg_blocks_too_long",
                "rate_limited"
            })
    void whereSlackRefusesAStreamTheAnswerIsAMessage(String error) throws Exception {
        slack.failNext("chat.startStream", 1, 200, error, null);

        String message = begin(answer(BEGUN));
        bot.grow(thread, message, answer(WHOLE));
        finish(message, WHOLE);

        assertEquals(WHOLE, only().text());
        assertEquals(List.of("chat.startStream", "chat.postMessage", "chat.update", "chat.update"), calls());
    }

    @ParameterizedTest
    @Tag("B193")
    @ValueSource(strings = {"invalid_chunks", "msg_too_long", "msg_blocks_too_long", "invalid_blocks"})
    void whatAStreamRefusesIsShownByEdits(String error) throws Exception {
        String message = begin(answer(BEGUN));
        slack.failNext("chat.appendStream", 1, 200, error, null);
        bot.grow(thread, message, answer(WHOLE));
        assertEquals(WHOLE, only().text());
        finish(message, WHOLE);
        String second = bot.send(thread, bot.opening(answer(BEGUN)), GROWS);
        slack.failNext("chat.stopStream", 1, 200, error, null);

        finish(second, WHOLE);

        assertEquals(
                List.of(WHOLE, WHOLE),
                chat.answers().stream().map(SlackMessage::text).toList());
    }

    @Test
    @Tag("B193")
    void tooManyChunksWaitAndLoseNothing() throws Exception {
        String message = begin(answer(BEGUN));
        slack.failNext("chat.appendStream", 1, 429, "", "3");

        SendFailure fast = assertThrows(SendFailure.class, () -> bot.grow(thread, message, answer(WHOLE)));

        assertEquals(Duration.ofSeconds(3), fast.retryAfter());
        finish(message, WHOLE);
        assertEquals(WHOLE, only().text());
    }

    @ParameterizedTest
    @Tag("B193")
    @ValueSource(strings = {"messages_tab_disabled", "is_archived"})
    void aClosedChatIsClosedToStreams(String error) {
        slack.failNext("chat.startStream", 1, 200, error, null);

        assertEquals(
                Kind.CLOSED,
                assertThrows(SendFailure.class, () -> begin(answer(BEGUN))).kind());
        assertEquals(List.of(), slack.calls("chat.postMessage"));
    }

    @Test
    @Tag("B195")
    void aThreadIsProcessingUntilItsTurnEnds() throws Exception {
        bot.working(thread);
        bot.working(thread);
        bot.ended(thread, TURN);
        bot.ended(thread, TURN);

        assertEquals(
                List.of("processing", "active"),
                slack.calls("agents.sessions.setStatus").stream()
                        .map(call -> call.params().path("status").asText())
                        .toList());
        JsonNode params = slack.calls("agents.sessions.setStatus").getFirst().params();
        assertEquals(chat.id(), params.path("channel_id").asText());
        assertEquals(chat.user(), params.path("initiator_user_id").asText());
    }

    @Test
    @Tag("B197")
    void anErrorOfOneThreadIsNotOneOfTheApp() throws Exception {
        // Given
        var other =
                new ConversationAddress("slack", chat.user(), chat.says("and?").time());
        slack.failNext("agents.sessions.setStatus", 1, 200, "thread_not_found", null);

        // When
        bot.working(thread);
        bot.working(thread);
        bot.working(other);

        // Then
        assertEquals(2, slack.calls("agents.sessions.setStatus").size());
        assertEquals(0, slack.calls("assistant.threads.setStatus").size());
    }

    @Test
    @Tag("B197")
    void theStatusThatAnotherProcessHasSetIsEnded() throws Exception {
        bot.working(thread);
        bot = fixture.reconnect();

        bot.ended(thread, TURN);

        assertEquals(
                "active",
                slack.calls("agents.sessions.setStatus")
                        .getLast()
                        .params()
                        .path("status")
                        .asText());
    }

    @Test
    @Tag("B195")
    void anAppThatIsNoAgentShowsTheStatusOfAssistants() throws Exception {
        slack.failNext("agents.sessions.setStatus", 1, 200, "not_authorized", null);

        bot.working(thread);
        bot.working(thread);
        bot.ended(thread, TURN);

        assertEquals(1, slack.calls("agents.sessions.setStatus").size());
        assertEquals(2, slack.calls("assistant.threads.setStatus").size());
    }

    @Test
    void chatsWithoutThreadsAreNotStreamed() throws Exception {
        var flat = new ConversationAddress("slack", chat.user(), null);
        assertEquals(Growth.NONE, bot.growth(new ConversationAddress("slack", "C9", null)));
        assertEquals(Growth.MESSAGE, bot.growth(flat));

        bot.send(flat, bot.opening(answer(BEGUN)), GROWS);

        assertEquals(List.of("chat.postMessage"), calls());
    }
}
