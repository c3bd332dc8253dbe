package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.BankScope;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.document.Fault;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.turn.answer.ToolArguments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recall, retain and forget requests of a session. */
class MemoryStepsTest {
    private final SessionFixture session = new SessionFixture();

    private void remembers(String banks) {
        session.agentIs(agent(banks));
    }

    private static Agent agent(String banks) {
        return FixedDefinitions.agent(
                Agent.DEFAULT,
                AgentMode.ALL,
                FixedDefinitions.LIMITS,
                Map.of(Agent.MEMORY, banks, Agent.MEMORY_MODEL, Agent.RULES));
    }

    private ToolRequest reminder() {
        return session.requests()
                .filter(request -> request.name().equals(ToolSpec.MEMORY_REMIND))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private long reminders() {
        return session.requests()
                .filter(request -> request.name().equals(ToolSpec.MEMORY_REMIND))
                .count();
    }

    private void memoryAnswers(ToolStatus status, String text) {
        session.take(new ToolAnswered(reminder().callId(), 1, status, text));
    }

    private List<Retain> retained() {
        return session.effects(TurnEffect.SendBankCommand.class).stream()
                .map(TurnEffect.SendBankCommand::command)
                .filter(Retain.class::isInstance)
                .map(Retain.class::cast)
                .toList();
    }

    @Test
    @Tag("P59")
    void recallsMemoryBeforeTheModelCall() {
        // Given
        remembers("user");
        session.says("where do I live?");
        assertEquals(List.of(), session.effects(TurnEffect.RequestModel.class));
        assertTrue(reminder().arguments().contains("where do I live?"));

        // When
        memoryAnswers(ToolStatus.COMPLETED, "- in Oslo");

        // Then
        assertEquals("- in Oslo", session.asked().memory());
        assertEquals(List.of("user: where do I live?"), session.shown(), "it is no part of the conversation");
        session.modelAnswers("In Oslo.");
        session.replies("In Oslo.");
    }

    @Test
    void queryDoesNotBeginWithHalfOfASurrogatePair() {
        remembers("user");

        session.says("\uD83D\uDE00" + "x".repeat(3_999));

        assertEquals(ToolArguments.json("query", "x".repeat(3_999)), reminder().arguments());
    }

    @Test
    void turnWithoutMemoryIsNeitherRecalledNorRetained() {
        // Given
        remembers("user");

        // When
        session.says("between us", new Settings(null, null, null, null, null, Map.of("memory", "none")));
        session.modelAnswers("of course");

        // Then
        session.replies("of course");
        assertEquals(0, reminders());
        assertEquals(List.of(), retained());
    }

    private static final String RULES = """
            {"notes":"- Ann: +47 22 12 34 56","directives":[{"name":"phones","content":"Never give phone numbers."},\
            {"name":"tone","content":"Be kind."}]}""";

    @Test
    @Tag("M28")
    void showsDirectivesAndWithholdsAnAnswerThatBreaksOne() {
        // Given
        remembers("user");

        // When
        session.says("What is Ann's number?");
        memoryAnswers(ToolStatus.COMPLETED, RULES);

        // Then
        String prompt = session.asked().agent().prompt();
        assertTrue(prompt.contains("1. Never give phone numbers.\n2. Be kind."), prompt);
        assertEquals("- Ann: +47 22 12 34 56", session.asked().memory());
        assertFalse(session.asked().agent().guardrails(GuardrailStage.OUTPUT).isEmpty(), "no word is shown unchecked");

        // When
        session.modelAnswers("It is +47 22 12 34 56.");

        // Then
        session.replies("The answer is withheld: it breaks the directive \"phones\".");
        assertEquals(List.of(), retained(), "what was withheld is not remembered");

        // When
        session.says("And her town?");
        memoryAnswers(ToolStatus.COMPLETED, RULES);
        session.modelAnswers("Oslo.");

        // Then
        session.replies("The answer is withheld: it breaks the directive \"phones\".", "Oslo.");
    }

    @Test
    @Tag("M28")
    void checksSentMessagesButNotArgumentsAgainstDirectives() {
        // Given
        remembers("user");
        session.says("Call Ann");
        memoryAnswers(ToolStatus.COMPLETED, RULES);

        // When
        session.modelCalls(SessionFixture.call("a", "message", "{\"text\":\"I call +47 22 12 34 56.\"}"));

        // Then
        session.replies("The answer is withheld: it breaks the directive \"phones\".");

        // When
        session.says("Look her up");
        memoryAnswers(ToolStatus.COMPLETED, RULES);
        session.modelCalls(SessionFixture.call("b", "search", "{\"q\":\"+47 22 12 34 56\"}"));

        // Then
        assertTrue(session.toolRequest("b").arguments().contains("+47"), "what nobody is told does not count");
    }

    @Test
    @Tag("M28")
    void directivesHoldUntilMemoryReturnsOthers() {
        // Given
        remembers("user");
        session.says("one");
        memoryAnswers(ToolStatus.COMPLETED, RULES);
        session.modelAnswers("1");

        // When
        session.says("two");
        session.after(MemorySteps.RECALL_TIMEOUT);

        // Then
        assertTrue(session.asked().agent().prompt().contains("Never give phone numbers."));
        session.modelAnswers("2");

        // When
        session.says("and"); // not all banks have answered
        memoryAnswers(ToolStatus.COMPLETED, "{\"notes\":\"- in Oslo\"}");

        // Then
        assertEquals("- in Oslo", session.asked().memory());
        assertTrue(session.asked().agent().prompt().contains("Never give phone numbers."));
        session.modelAnswers("2");

        // When
        session.says("three");
        memoryAnswers(ToolStatus.COMPLETED, "{\"notes\":\"\",\"directives\":[]}");

        // Then
        assertFalse(session.asked().agent().prompt().contains("Never give phone numbers."));
        session.modelAnswers("It is +47 22 12 34 56.");
        session.replies("1", "2", "2", "It is +47 22 12 34 56.");
    }

    @Test
    @Tag("M7")
    void retainsMessageAndReplyOfACompletedTurn() {
        // Given
        remembers("user_agent, host");
        UUID turn = session.says("I moved to Oslo.");
        memoryAnswers(ToolStatus.COMPLETED, "");

        // When
        session.modelAnswers("How nice!");

        // Then
        Retain retain = retained().getFirst();
        assertEquals(BankScope.USER_AGENT, retain.bank().scope());
        assertEquals(turn, retain.turnId());
        assertEquals(
                List.of(
                        new Utterance(Role.USER, null, "I moved to Oslo."),
                        new Utterance(Role.ASSISTANT, Agent.DEFAULT, "How nice!")),
                retain.sayings());
        assertNull(retain.reader());
        assertEquals(1, retained().size());
        assertEquals(
                retain.bank().id(),
                session.events(TurnEvent.TurnCompleted.class).getFirst().bank());
        assertEquals(
                List.of(BankScope.USER_AGENT, BankScope.HOST),
                reminder().banks().stream().map(BankRef::scope).toList());
    }

    @Test
    @Tag("M39")
    void retainedTurnExpiresAfterTheDaysOfItsAgent() {
        session.agentIs(FixedDefinitions.agent(
                Agent.DEFAULT,
                AgentMode.ALL,
                FixedDefinitions.LIMITS,
                Map.of(Agent.MEMORY, "user", Agent.MEMORY_DAYS, "90")));
        session.says("I moved to Oslo.");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("How nice!");
        Retain retain = retained().getFirst();
        assertEquals(retain.mentionedAt().plus(Duration.ofDays(90)), retain.forgetAt());
    }

    @Test
    @Tag("M39")
    void namesInvalidMemoryOptions() {
        assertEquals(List.of(), invalidFields(Map.of("memory", "user, agent", "memoryDays", "1")));
        assertEquals(List.of("options.memory"), invalidFields(Map.of("memory", "usr")));
        assertEquals(List.of("options.memoryDays"), invalidFields(Map.of("memoryDays", "0")));
        assertEquals(
                List.of("options.memoryDays", "options.memoryModel"),
                invalidFields(Map.of("memoryDays", "for ever", "memoryModel", "gpt")));
        assertEquals(List.of("options.memoryDays"), invalidFields(Map.of("memoryDays", "99999")));
    }

    private static List<String> invalidFields(Map<String, String> options) {
        return Agent.of("a", "scripted", "m", "").withOptions(options).faults(Set.of()).stream()
                .map(Fault::field)
                .toList();
    }

    @Test
    @Tag("M33")
    void continuesWithoutMemoryAfterATimeout() {
        // Given
        remembers("user");
        session.says("hello");

        // When
        session.after(MemorySteps.RECALL_TIMEOUT);

        // Then
        assertNull(session.asked().memory());
        memoryAnswers(ToolStatus.COMPLETED, "too late");
        session.modelAnswers("hi");
        session.replies("hi");
        assertEquals(1, session.effects(TurnEffect.RequestModel.class).size());
    }

    @Test
    @Tag("M33")
    void continuesWithoutMemoryAfterAFailure() {
        remembers("user");
        session.says("hello");

        memoryAnswers(ToolStatus.ERROR, "error: away");

        assertNull(session.asked().memory());
    }

    @Test
    void recallsAgainForASteeringMessage() {
        // Given
        remembers("user");
        session.says("where do I live?");
        memoryAnswers(ToolStatus.COMPLETED, "- in Oslo");
        session.says("and my name?", MailboxMode.STEER);

        // When
        session.modelAnswers("In Oslo.");

        // Then
        assertEquals(2, reminders());
        assertEquals(TurnState.RUNNING_MODEL, session.state().running().state());
        assertTrue(
                reminder().arguments().contains("where do I live?\\nand my name?"),
                reminder().arguments());
        memoryAnswers(ToolStatus.COMPLETED, "- Ann");
        assertEquals("- Ann", session.asked().memory());
        assertEquals(1, session.asked().step());
        assertEquals(
                2,
                session.effects(TurnEffect.RequestModel.class).stream()
                        .map(TurnEffect.RequestModel::callId)
                        .distinct()
                        .count());
        session.modelAnswers("Ann.");
        assertEquals(
                "where do I live?\nand my name?",
                retained().getFirst().sayings().getFirst().text());
    }

    @Test
    @Tag("M33")
    void doesNotRecallAgainForASteeringRecording() {
        // Given
        remembers("user");
        session.says("where do I live?");
        session.says(MailboxMode.STEER, new Block.File("voice.ogg", "audio/ogg", 9, "hash", null, null));

        // When
        memoryAnswers(ToolStatus.COMPLETED, "- in Oslo");

        // Then
        assertEquals(1, reminders());
        assertEquals("- in Oslo", session.asked().memory());
    }

    @Test
    @Tag("M1")
    void sharedSessionUsesNoPersonalBank() {
        // Given
        remembers("user, agent");
        session.says("my secret is 42");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("I see.");
        assertEquals(BankScope.USER, retained().getFirst().bank().scope());

        // When
        session.othersSay("what is the secret?", MailboxMode.FOLLOWUP);
        session.modelAnswers("No idea.");
        session.says("and now?");
        session.modelAnswers("Still none.");

        // Then
        assertEquals(1, reminders());
        assertEquals(1, retained().size(), "nor does it go where everybody reads it");
    }

    @Test
    void sharedSessionUsesTheBankOfItsAgent() {
        remembers("agent");
        session.says("our meeting is on Monday");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("I see.");

        session.othersSay("when do we meet?", MailboxMode.FOLLOWUP);
        memoryAnswers(ToolStatus.COMPLETED, "- on Monday");

        assertEquals("- on Monday", session.asked().memory());
    }

    @Test
    void anAgentWithoutMemoryAsksForNone() {
        session.says("hello");
        session.modelAnswers("hi");

        assertEquals(0, reminders());
        assertEquals(List.of(), session.effects(TurnEffect.SendBankCommand.class));
    }

    @Test
    @Tag("M6")
    void erasingASessionForgetsItInItsBank() {
        // Given
        remembers("user");
        session.says("my secret is 42");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("I see.");

        // When
        session.changes(Change.ERASE);

        // Then
        var forget = (Forget)
                session.effects(TurnEffect.SendBankCommand.class).getLast().command();
        assertEquals(retained().getFirst().bank(), forget.bank());
        assertEquals(Forget.What.SESSION, forget.what());
        assertEquals(session.state().key(), forget.session());
    }

    @Test
    @Tag("M6")
    @Tag("K16")
    void forkIsRetainedAndForgottenSeparately() {
        // Given
        remembers("user");
        session.says("I live in Oslo.");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("I see.");
        SessionFixture copy = session.other("test:copy");

        // When
        session.forksTo(copy);

        // Then
        assertEquals(
                List.of(),
                copy.effects(TurnEffect.SendBankCommand.class),
                "what was said before is remembered already");

        // When
        copy.says("I own a boat.");
        copy.take(new ToolAnswered(
                copy.requests().reduce((_, last) -> last).orElseThrow().callId(), 1, ToolStatus.COMPLETED, ""));
        copy.modelAnswers("How nice!");

        // Then
        var retain = (Retain)
                copy.effects(TurnEffect.SendBankCommand.class).getFirst().command();
        assertEquals(copy.state().key(), retain.session());
        assertEquals("I own a boat.", retain.sayings().getFirst().text());
        assertEquals(retained().getFirst().bank(), retain.bank());

        // When
        session.changes(Change.ERASE);
        copy.changes(Change.ERASE);

        // Then
        for (SessionFixture fixture : List.of(session, copy)) {
            var forget = (Forget)
                    fixture.effects(TurnEffect.SendBankCommand.class).getLast().command();
            assertEquals(fixture.state().key(), forget.session());
            assertEquals(retain.bank(), forget.bank());
        }
    }

    @Test
    @Tag("I114")
    void importedSessionIsNotRetainedAgain() {
        // Given
        remembers("user");
        session.says("I live in Oslo.");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("I see.");
        assertEquals(1, retained().size());
        List<TurnEvent> events = session.events(TurnEvent.class).stream()
                .filter(TurnEvent::isPublished)
                .toList();
        var imported =
                new ArrivedSession(session.state().key(), new FixedDefinitions(List.of(agent("user")), List.of()));

        // When
        List<TurnEffect> effects = imported.decide(ArrivedSession.piece(0, 1, events), session.now())
                .effects();

        // Then
        assertEquals(
                List.of(),
                effects.stream()
                        .filter(TurnEffect.SendBankCommand.class::isInstance)
                        .toList());
        assertEquals(List.of(), imported.state().open().remembered(), "no bank here knows anything of it");
        assertEquals(
                session.state().context().turns(), imported.state().context().turns());
    }

    @Test
    @Tag("P45")
    @Tag("P59")
    void forgetCommandErasesPersonalBanksOnly() {
        // Given
        remembers("user, user_agent, agent");
        session.says("my secret is 42");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("I see.");

        // When
        session.resets(Reset.FORGET);

        // Then
        List<Forget> forgets = session.effects(TurnEffect.SendBankCommand.class).stream()
                .map(TurnEffect.SendBankCommand::command)
                .filter(Forget.class::isInstance)
                .map(Forget.class::cast)
                .toList();
        assertEquals(
                List.of(BankScope.USER, BankScope.USER_AGENT),
                forgets.stream().map(forget -> forget.bank().scope()).toList());
        assertTrue(forgets.stream().allMatch(forget -> forget.what() == Forget.What.BANK));
        assertEquals(List.of(), session.state().context().turns());

        // When other users take part, there are no personal banks
        session.othersSay("hello", MailboxMode.FOLLOWUP);
        session.modelAnswers("hi");

        // Then
        session.refuses(session.resets(Reset.FORGET), "no_memory");
    }

    @Test
    void retainsTheBeginningOfALongMessage() {
        remembers("user");
        session.says("long ".repeat(200_000));
        memoryAnswers(ToolStatus.COMPLETED, "");

        session.modelAnswers("I see.");

        assertEquals(400_000, retained().getFirst().sayings().getFirst().text().length());
    }

    @Test
    @Tag("M34")
    void doesNotRetainAReplyBasedOnRecall() {
        // Given
        remembers("user");
        session.offers(ToolSpec.MEMORY_RECALL);
        session.says("what do you know of me?");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelCalls(SessionFixture.call("1", ToolSpec.MEMORY_RECALL, "{}"));
        session.toolAnswers("1", "you live in Oslo");

        // When
        session.modelAnswers("You live in Oslo.");

        // Then
        assertEquals(
                List.of(Role.USER),
                retained().getFirst().sayings().stream().map(Utterance::role).toList());
    }

    @Test
    @Tag("M1")
    @Tag("M4")
    void anAgentOfTheSameNameHasOtherBanksThanTheOneThatWasDeleted() {
        // Given
        session.agentIs(agent("agent").withDefinitionId(Ids.of("one")));
        session.says("our meeting is on Monday");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("I see.");

        // When
        session.agentIs(agent("agent").withDefinitionId(Ids.of("two")));
        session.says("when do we meet?");

        // Then
        BankRef first = retained().getFirst().bank();
        BankRef second = reminder().banks().getFirst();
        assertEquals(first.agent(), second.agent());
        assertNotEquals(first.id(), second.id());
        assertNotEquals(first.key(), second.key());
    }

    @Test
    @Tag("M4")
    void doesNotRetainATurnThatOutlivesItsAgent() {
        // Given
        session.agentIs(agent("user_agent, user").withDefinitionId(Ids.of("one")));
        session.says("where do I live?");
        memoryAnswers(ToolStatus.COMPLETED, "- in Oslo");
        assertEquals("- in Oslo", session.asked().memory());

        // When it is deleted and another one has its name; the turn continues with its original agent
        Agent other = agent("user_agent, user").withDefinitionId(Ids.of("two"));
        session.definitions(definitions -> new FixedDefinitions(
                Stream.concat(Stream.of(other), definitions.agents().stream()).toList(), definitions.tools()));
        session.modelAnswers("In Oslo.");

        // Then
        assertEquals(List.of(), retained(), "neither by the one that is gone nor by the one that came, nor elsewhere");
    }

    @Test
    @Tag("M1")
    void newSessionOfASharedKeyUsesNoPersonalBank() {
        // Given
        remembers("user");
        session.says("hello");
        memoryAnswers(ToolStatus.COMPLETED, "");
        session.modelAnswers("hi");
        session.othersSay("hello", MailboxMode.FOLLOWUP);
        session.modelAnswers("hi");

        // When
        session.resets(TurnCommand.Reset.NEW);
        session.says("where do I live?");

        // Then
        assertEquals(1, reminders());
    }

    @Test
    @Tag("M1")
    void hidesRecalledMemoryOnceAnotherUserIsThere() {
        remembers("user");
        session.says("where do I live?");
        memoryAnswers(ToolStatus.COMPLETED, "- in Oslo");
        session.offers("echo");
        session.othersSay("hello", MailboxMode.FOLLOWUP);

        session.modelCalls(SessionFixture.call("1", "echo", "{}"));
        session.toolAnswers("1", "x");

        assertNull(session.asked().memory());
    }

    @Test
    void offersMemoryToolsOnlyToAgentsWithMemory() {
        session.offers(ToolSpec.MEMORY_RECALL);
        session.says("hello");
        assertTrue(
                session.asked().tools().stream().noneMatch(tool -> tool.name().equals(ToolSpec.MEMORY_RECALL)));
        session.modelAnswers("hi");

        remembers("user");
        session.says("hello");
        memoryAnswers(ToolStatus.COMPLETED, "");

        assertTrue(session.asked().tools().stream().anyMatch(tool -> tool.name().equals(ToolSpec.MEMORY_RECALL)));
    }
}
