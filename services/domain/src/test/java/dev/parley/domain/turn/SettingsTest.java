package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.TurnEvent.ModelCalled;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    private final SessionFixture session = new SessionFixture();

    private static Settings model(String name) {
        return new Settings(name, null, null, null, null, Map.of());
    }

    @BeforeEach
    void offersAnotherModel() {
        session.agentIs(FixedDefinitions.agent(
                Agent.DEFAULT, AgentMode.ALL, FixedDefinitions.LIMITS, Map.of(Agent.MODELS, "other/model-2")));
    }

    private String model() {
        Agent agent = session.asked().agent();
        return agent.provider() + "/" + agent.model();
    }

    @Test
    @Tag("P10")
    void aTurnChoosesItsModel() {
        // When
        session.says("hi", model("other/model-2"));

        // Then
        assertEquals("other/model-2", model());
        session.modelAnswers("hello");
        session.says("and now?");
        assertEquals("scripted/model-1", model());
    }

    @Test
    @Tag("P10")
    void turnSettingsOverrideSessionSettings() {
        // Given
        session.exchanges("hi", "hello");

        // When
        session.configures(new Settings("other/model-2", ThinkingLevel.HIGH, 0.5, null, null, Map.of()));
        session.says("hi", new Settings(null, ThinkingLevel.LOW, null, null, null, Map.of("verbosity", "low")));

        // Then
        Agent agent = session.asked().agent();
        assertEquals("other/model-2", model());
        assertEquals(ThinkingLevel.LOW, agent.thinking());
        assertEquals(0.5, agent.temperature());
        assertEquals("low", agent.options().get("verbosity"));

        // And when
        session.modelAnswers("hello");
        session.configures(Settings.NONE);
        session.says("hi");

        // Then
        assertEquals("scripted/model-1", model());
        assertNull(session.asked().agent().temperature());
    }

    @Test
    void aModelThatTheAgentDoesNotOfferIsRefused() {
        session.refuses(session.says("hi", model("dear/model-9")), "unknown_model");
        session.exchanges("hi", "hello");
        session.refuses(session.configures(model("dear/model-9")), "unknown_model");
        session.isIdle();
    }

    @Test
    void aTurnMayAskForLessThanItsAgentAllowsAndNotForMore() {
        Agent frugal = FixedDefinitions.agent("frugal", AgentMode.ALL, FixedDefinitions.LIMITS)
                .with(new Settings(null, null, null, null, 100, Map.of()));

        assertEquals(
                50,
                frugal.with(new Settings(null, null, null, null, 50, Map.of())).maxTokens());
        assertEquals(
                100,
                frugal.with(new Settings(null, null, null, null, 500, Map.of())).maxTokens());
    }

    @Test
    void aTurnWithoutToolsCallsNone() {
        // When
        session.says("hi", new Settings(null, null, null, null, null, Map.of("toolChoice", "none")));

        // Then
        assertFalse(session.asked().toolsAllowed());
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        session.isIdle();
        assertEquals(0, session.requests().count());
        session.says("and now?");
        assertTrue(session.asked().toolsAllowed());
    }

    @Test
    @Tag("I135")
    void toolChoiceAppliesToTheFirstStepOnly() {
        for (String choice : List.of("required", "tool:search")) {
            // When
            session.says("hi", new Settings(null, null, null, null, null, Map.of("toolChoice", choice)));

            // Then
            assertEquals(ToolChoice.read(choice).orElseThrow(), session.toolChoice());
            session.modelCalls(SessionFixture.call("a", "search", "{}"));
            session.toolAnswers("a", "found");
            assertEquals(ToolChoice.AUTO, session.toolChoice(), "else it could never answer");
            session.modelAnswers("done");
        }
    }

    @Test
    @Tag("I135")
    void rejectsAToolChoiceOfAnUnknownTool() {
        session.refuses(
                session.says("hi", new Settings(null, null, null, null, null, Map.of("toolChoice", "tool:fly"))),
                "unknown_tool");
        session.isIdle();
    }

    @Test
    @Tag("I135")
    void aTurnMayMakeOneCallAtATime() {
        // When
        session.says("hi", new Settings(null, null, null, null, null, Map.of("parallelToolCalls", "false")));
        session.modelCalls(SessionFixture.call("a", "search", "{}"), SessionFixture.call("b", "search", "{\"q\":1}"));
        session.toolAnswers("a", "found");

        // Then
        assertEquals(1, session.requests().count());
        assertEquals("tool: b: error: make one call at a time", session.shown().getLast());
    }

    private static Settings bound(String option, int limit) {
        return new Settings(null, null, null, null, null, Map.of(option, String.valueOf(limit)));
    }

    /** Each call of the fixture's model takes 100 tokens and costs 30 billionths of a dollar. */
    @ParameterizedTest
    @CsvSource({"turnTokens,100,1", "turnTokens,101,2", "turnCostMicros,0,0", "turnCostMicros,1,3"})
    void turnBeyondItsBudgetMakesNoMoreModelCalls(String option, int limit, int calls) {
        // When
        UUID turn = session.says("hi", bound(option, limit));
        for (int call = 0; call < 3 && session.state().active() != null; call++) {
            session.modelCalls(SessionFixture.call("c" + call, "search", "{\"n\":%d}".formatted(call)));
            session.toolAnswers("c" + call, "found");
        }

        // Then
        assertEquals(calls, session.events(ModelCalled.class).size());
        assertEquals(calls == 3, session.state().active() != null);
        if (calls < 3) {
            assertEquals(ErrorCategory.BUDGET, session.finished(turn).error());
        }
    }

    @Test
    void delegatesInheritTheDelegationDepthOfTheTurn() {
        // Given
        session.says("go down", bound("delegationDepth", 1));
        session.modelCalls(SessionFixture.delegate("a", "alpha", "down"));
        var alpha = session.child("alpha");

        // When
        alpha.modelCalls(SessionFixture.delegate("b", "beta", "down"));

        // Then
        assertTrue(
                alpha.shown().getLast().contains("at most 1 levels"),
                alpha.shown().getLast());
    }

    @Test
    void rejectsInvalidSettings() {
        // Then
        assertThrows(IllegalArgumentException.class, () -> bound("turnTokens", -1));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Settings(null, null, null, null, null, Map.of("toolChoice", "tool:")));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Settings(null, null, null, null, null, Map.of("parallelToolCalls", "true")));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Settings(null, null, null, null, null, Map.of("memory", "host")));
        assertThrows(IllegalArgumentException.class, () -> new Settings(null, null, 2.5, null, null, Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new Settings(null, null, null, null, 0, Map.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Settings(null, null, null, null, null, Map.of("hostedTools", "[]")));
    }

    @Test
    void waitingTurnKeepsItsSettings() {
        // Given
        session.says("one");
        UUID waiting = session.says("two");

        // When
        session.configures(model("other/model-2"));
        session.modelAnswers("1");

        // Then
        session.isActive(waiting);
        assertEquals("scripted/model-1", model());
    }
}
