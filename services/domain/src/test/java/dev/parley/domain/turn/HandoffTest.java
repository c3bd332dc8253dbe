package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.Handoff.Step;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeHandoff;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ReviseTurn;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.HandoffChanged;
import dev.parley.domain.protocol.TurnEvent.ModelRequested;
import dev.parley.domain.protocol.TurnEvent.ToolCalled;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.origin.Origin;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ann talks with an agent in the chat of a bot; Olga and Oskar lead the project. */
class HandoffTest {
    private final SessionFixture chat = new SessionFixture().other("bot:chat:7");

    @BeforeEach
    void talk() {
        says("hello");
        chat.modelAnswers("hi");
    }

    private CommandMeta by(@Nullable String user, boolean leads) {
        return chat.newMeta().with().user(user).leads(leads).build();
    }

    private UUID ask() {
        return chat.takes(new ChangeHandoff(by("ann", false), Step.ASK, "the bill is wrong", "", null));
    }

    private UUID take(String operator) {
        return chat.takes(new ChangeHandoff(by(operator, true), Step.TAKE, "", operator, null));
    }

    private UUID giveBack(String user, boolean leads) {
        return chat.takes(new ChangeHandoff(by(user, leads), Step.RETURN, "done", "", null));
    }

    /** A message in the chat. */
    private UUID says(String text) {
        return says("ann", text);
    }

    private UUID says(String user, String text) {
        SubmitTurn message = chat.message(text, MailboxMode.FOLLOWUP, null);
        CommandMeta meta = message.meta().with().user(user).build();
        return chat.takes(of(meta, message, message.content(), message.origin(), false));
    }

    private UUID posts(String user, Block... content) {
        SubmitTurn message = chat.message("", MailboxMode.FOLLOWUP, null);
        return chat.takes(of(by(user, true), message, List.of(content), Origin.API, true));
    }

    private SubmitTurn of(CommandMeta meta, SubmitTurn message, List<Block> content, Origin origin, boolean posted) {
        return new SubmitTurn(
                        meta,
                        origin,
                        message.originRef(),
                        message.mode(),
                        null,
                        null,
                        content,
                        "telegram",
                        null,
                        null,
                        null,
                        false,
                        null,
                        List.of(),
                        List.of(),
                        posted,
                        true)
                .ofBot(chat.state().key(), "bot", "telegram", null);
    }

    private String refusal(UUID command) {
        return assertInstanceOf(Outcome.Refused.class, chat.told(command).getLast())
                .code();
    }

    private List<Handoff.Change> changes() {
        return chat.events(HandoffChanged.class).stream()
                .map(HandoffChanged::change)
                .toList();
    }

    private int modelCalls() {
        return chat.events(ModelRequested.class).size();
    }

    @Test
    @Tag("B280")
    void messagesWaitForTheOperatorWhoseAnswerIsTheReplyToThem() {
        // Given
        int calls = modelCalls();
        ask();
        UUID first = says("my bill is wrong");
        UUID second = says("it says 900");
        chat.waiting(first, second);

        // When
        take("olga");
        posts("olga", Block.text("You are right, it is 90."));

        // Then
        assertEquals(calls, modelCalls());
        assertEquals(TurnState.COMPLETED, chat.finished(first).state());
        assertEquals("👤 olga\nYou are right, it is 90.", chat.finished(second).reply());
        assertEquals(List.of("hi", "👤 olga\nYou are right, it is 90."), chat.delivered(Reply.Kind.FINAL));
        chat.isIdle();
    }

    @Test
    @Tag("B281")
    void theAgentKnowsWhatWasSaidWhenItAnswersAgain() {
        // Given
        ask();
        says("my bill is wrong");
        take("olga");
        posts("olga", Block.text("It is 90."));
        UUID open = says("thanks; and when is it due?");

        // When
        giveBack("olga", true);

        // Then
        chat.isActive(open);
        assertEquals(
                List.of(
                        "user: hello",
                        "assistant: hi",
                        "user: my bill is wrong",
                        "assistant: 👤 olga\nIt is 90.",
                        "user: thanks; and when is it due?"),
                chat.shown());
        chat.modelAnswers("in May");
        assertEquals("in May", chat.finished(open).reply());
        assertEquals(List.of(Handoff.Change.ASKED, Handoff.Change.TAKEN, Handoff.Change.RETURNED), changes());
    }

    @Test
    @Tag("B280")
    void takingASessionStopsTheAgent() {
        // Given
        UUID turn = says("write a poem");

        // When
        take("olga");
        chat.after(Duration.ofSeconds(2));

        // Then
        assertEquals(TurnState.CANCELLED, chat.finished(turn).state());
        UUID next = says("go on");
        chat.waiting(next);
        assertEquals(
                "👤 olga answers now in the assistant's place.",
                chat.delivered(Reply.Kind.MESSAGE).getLast());
    }

    @Test
    @Tag("B282")
    void oneOperatorAnswersAtATime() {
        // Given
        take("olga");

        // Then
        assertEquals("handoff_taken", refusal(take("oskar")));
        assertEquals("olga", chat.state().handoff().operator());

        // When
        giveBack("oskar", true);
        take("oskar");

        // Then
        assertEquals("oskar", chat.state().handoff().operator());
    }

    @ParameterizedTest
    @Tag("B282")
    @EnumSource
    void onlyLeadersTakeASessionAndWhoAskedMayReturnIt(Step step) {
        // Given
        ask();

        // When
        UUID command = chat.takes(new ChangeHandoff(by("ann", false), step, "", "Ann", null));
        UUID others = chat.takes(new ChangeHandoff(by("bob", false), step, "", "Bob", null));

        // Then
        switch (step) {
            case ASK -> assertInstanceOf(Outcome.Accepted.class, chat.outcome(command));
            case TAKE -> {
                assertEquals("not_yours", refusal(command));
                assertEquals("not_yours", refusal(others));
            }
            case RETURN -> assertNull(chat.state().handoff());
        }
    }

    @Test
    @Tag("B282")
    void whatAnotherPostsAnswersNothing() {
        // Given
        take("olga");
        UUID waiting = says("hello?");

        // When
        posts("oskar", Block.text("The build is red."));

        // Then
        chat.waiting(waiting);
        assertEquals("The build is red.", chat.delivered(Reply.Kind.FINAL).getLast());
    }

    @Test
    @Tag("B283")
    void itReturnsToTheAgentWhenNobodyComes() {
        // Given
        ask();
        UUID waiting = says("hello?");

        // When
        chat.after(Handoff.ASKED);

        // Then
        assertEquals(List.of(Handoff.Change.ASKED, Handoff.Change.EXPIRED), changes());
        chat.isActive(waiting);
        assertTrue(chat.delivered(Reply.Kind.MESSAGE).getLast().startsWith("Nobody is free"));
    }

    @Test
    @Tag("B283")
    void itReturnsWhenTheOperatorIsAwayAndEachAnswerPutsThatOff() {
        // Given
        take("olga");
        chat.after(Handoff.TAKEN.minusMinutes(1));

        // When
        posts("olga", Block.text("one moment"));
        chat.after(Handoff.TAKEN.minusMinutes(1));

        // Then
        assertEquals("olga", chat.state().handoff().operator());

        // When
        UUID waiting = says("still there?");
        chat.after(Duration.ofMinutes(1));

        // Then
        assertNull(chat.state().handoff());
        chat.isActive(waiting);
    }

    @Test
    void operatorMaySayHowLongItWaits() {
        // When
        chat.takes(new ChangeHandoff(by("olga", true), Step.TAKE, "", "Olga", Duration.ofDays(1)));
        chat.after(Duration.ofHours(23));

        // Then
        assertEquals("Olga", chat.state().handoff().name());
    }

    @Test
    void repeatedStepsChangeNothing() {
        // When
        ask();
        ask();
        take("olga");
        take("olga");
        giveBack("olga", true);
        giveBack("olga", true);

        // Then
        assertEquals(List.of(Handoff.Change.ASKED, Handoff.Change.TAKEN, Handoff.Change.RETURNED), changes());
    }

    @Test
    @Tag("B281")
    void filesOfTheOperatorAreDeliveredUnderTheirName() {
        // Given
        take("olga");
        var file = new Block.File("invoice.pdf", "application/pdf", 9, "hash", null, null);

        // When
        posts("olga", file);

        // Then
        Reply reply = chat.replies(Reply.Kind.FINAL).getLast();
        assertEquals("👤 olga", reply.text());
        assertEquals(List.of(file), reply.files());
    }

    @Test
    @Tag("B284")
    void agentAsksForAnOperatorByATool() {
        // Given an agent that lists the tool
        chat.agentIs(FixedDefinitions.skilled(1_000, List.of("ask_operator")));

        // When
        UUID turn = says("I want a person");
        chat.modelCalls(SessionFixture.call("a", "ask_operator", "{\"reason\":\"wants a person\"}"));
        chat.modelAnswers("Somebody will answer you.");
        UUID next = says("thank you");

        // Then
        assertEquals("Somebody will answer you.", chat.finished(turn).reply());
        assertEquals("wants a person", chat.state().handoff().reason());
        assertEquals("ann", chat.state().handoff().askedBy());
        chat.waiting(next);
    }

    @Test
    @Tag("B284")
    void agentsThatDoNotListTheToolDoNotHaveIt() {
        // When
        says("I want a person");
        chat.modelCalls(SessionFixture.call("a", "ask_operator", "{\"reason\":\"x\"}"));

        // Then
        assertTrue(chat.events(ToolCalled.class).getLast().content().startsWith("error: "));
        assertNull(chat.state().handoff());
    }

    @Test
    @Tag("B281")
    void peopleInAGroupWaitTogetherAndAreAllAnswered() {
        // Given
        ask();
        List<UUID> waiting = List.of(says("ann", "1"), says("bob", "2"), says("cleo", "3"));

        // When
        take("olga");
        posts("olga", Block.text("for all of you"));
        giveBack("olga", true);
        says("4");

        // Then
        waiting.forEach(
                turn -> assertEquals(TurnState.COMPLETED, chat.finished(turn).state()));
        assertEquals(
                List.of("user: 1", "user: 2", "user: 3", "assistant: 👤 olga\nfor all of you"),
                chat.shown().subList(2, 6));
    }

    @Test
    void turnsOfSchedulesWaitForTheAgent() {
        // Given
        take("olga");
        UUID scheduled = chat.saysOf(Origin.SCHEDULE, "report");

        // When
        posts("olga", Block.text("I am here"));

        // Then
        chat.waiting(scheduled);
        giveBack("olga", true);
        chat.isActive(scheduled);
    }

    @ParameterizedTest
    @EnumSource(
            value = Change.class,
            names = {"ARCHIVE", "DELETE", "ERASE"})
    void endsWithItsSession(Change change) {
        // Given
        ask();

        // When
        chat.changes(change);

        // Then
        assertNull(chat.state().handoff());
        assertEquals(Handoff.Change.ENDED, changes().getLast());
    }

    @Test
    void endsWithANewSession() {
        // Given
        ask();
        UUID waiting = says("hello?");

        // When
        chat.resets(Reset.NEW, null);

        // Then
        assertEquals(Handoff.Change.ENDED, changes().getLast());
        assertEquals(TurnState.CANCELLED, chat.finished(waiting).state());
        says("hello");
        chat.modelAnswers("hi");
    }

    @Test
    void unknownSessionsAreNotTaken() {
        // Given
        SessionFixture none = chat.other("bot:chat:8");

        // When
        UUID command = none.takes(new ChangeHandoff(by("olga", true), Step.TAKE, "", "Olga", null));

        // Then
        assertEquals(
                "unknown_session",
                assertInstanceOf(Outcome.Refused.class, none.told(command).getLast())
                        .code());
    }

    @Test
    @Tag("B281")
    void guardrailsCheckWhatWasSaidToTheOperator() {
        // Given
        chat.guardedBy(new Guardrail(
                "pins", List.of(GuardrailStage.INPUT), "\\d{4}", null, GuardrailAction.REWRITE, "[pin]", "", false));
        take("olga");
        says("my PIN is 1234");

        // When
        posts("olga", Block.text("never tell me"));

        // Then
        assertTrue(chat.shown().stream().noneMatch(line -> line.contains("1234")), chat.shown()::toString);
    }

    private static Guardrail judge() {
        return new Guardrail(
                "judge", List.of(GuardrailStage.INPUT), null, "search", GuardrailAction.BLOCK, "", "Not this.", false);
    }

    /** A message and its answer, which waits while a guardrail's tool is asked about the message. */
    private record Checked(UUID message, UUID answer) {}

    private Checked answeredAndChecked() {
        chat.guardedBy(judge());
        take("olga");
        UUID message = says("my bill is wrong");
        UUID answer = posts("olga", Block.text("It is 90."));
        chat.isActive(message);
        return new Checked(message, answer);
    }

    @ParameterizedTest
    @Tag("B280")
    @EnumSource(
            value = MailboxMode.class,
            names = {"FOLLOWUP", "STEER", "COLLECT"})
    void messageAfterTheAnswerWaitsForTheNextOne(MailboxMode mode) {
        // Given
        Checked before = answeredAndChecked();

        // When
        UUID next = chat.takes(chat.message("and when is it due?", mode, null)
                .ofBot(chat.state().key(), "bot", "telegram", null));

        // Then
        chat.waiting(before.answer(), next);
        chat.guardAnswers("{\"action\":\"allow\"}");
        assertEquals(TurnState.COMPLETED, chat.finished(before.message()).state());
        chat.waiting(next);
    }

    @Test
    @Tag("B280")
    void messageDoesNotJoinOneThatIsAnsweredAndQueued() {
        // Given two messages that are answered, of which the first is being checked
        take("olga");
        chat.guardedBy(judge());
        UUID first = says("1");
        UUID second = chat.takes(
                chat.message("2", MailboxMode.COLLECT, null).ofBot(chat.state().key(), "bot", "telegram", null));
        UUID answer = posts("olga", Block.text("both"));
        chat.isActive(first);

        // When
        UUID third = chat.takes(
                chat.message("3", MailboxMode.COLLECT, null).ofBot(chat.state().key(), "bot", "telegram", null));

        // Then
        chat.waiting(second, answer, third);
    }

    @Test
    void correctionOfWhatIsAnsweredIsRefused() {
        // Given
        Checked before = answeredAndChecked();

        // When
        UUID correction =
                chat.takes(new ReviseTurn(by("ann", false), before.message(), List.of(Block.text("my bill is right"))));

        // Then
        chat.refuses(correction, "turn_finished");
    }

    @Test
    void messageThatMustNotWaitIsRefused() {
        // Given
        ask();

        // Then
        SubmitTurn message = chat.message("now or never", MailboxMode.REJECT, null);
        chat.refuses(chat.takes(message.ofBot(chat.state().key(), "bot", "telegram", null)), "session_busy");
    }

    @Test
    void answersThatWaitForAnActiveTurnAreBounded() {
        // Given a turn of a schedule, which goes on
        chat.saysOf(Origin.SCHEDULE, "report");
        take("olga");

        // When
        for (int i = 0; i < Handoffs.MAX_WAITING; i++) {
            posts("olga", Block.text("answer " + i));
        }

        // Then
        assertEquals("queue_full", refusal(posts("olga", Block.text("one more"))));
    }

    @Test
    @Tag("B282")
    void whoseSessionItIsMayDoWithoutUntilSomebodyAnswers() {
        // Given Bob asks in Ann's session
        chat.takes(new ChangeHandoff(by("bob", false), Step.ASK, "", "", null));

        // When
        giveBack("ann", false);

        // Then
        assertNull(chat.state().handoff());
        take("olga");
        assertEquals("not_yours", refusal(giveBack("ann", false)));
    }

    @Test
    void eachEventHasTheReasonOfWhoCausedIt() {
        // When
        ask();
        chat.takes(new ChangeHandoff(by("olga", true), Step.TAKE, "I know her", "Olga", null));
        giveBack("olga", true);

        // Then
        assertEquals(
                List.of("the bill is wrong", "I know her", "done"),
                chat.events(HandoffChanged.class).stream()
                        .map(HandoffChanged::reason)
                        .toList());
        assertEquals(
                "the bill is wrong",
                chat.events(HandoffChanged.class).getLast().handoff().reason());
    }

    @Test
    void lateAnswerAfterTheReturnIsAMessageOfTheAssistant() {
        // Given
        take("olga");
        giveBack("olga", true);

        // When
        posts("olga", Block.text("one more thing"));

        // Then
        assertEquals("one more thing", chat.delivered(Reply.Kind.FINAL).getLast());
    }
}
