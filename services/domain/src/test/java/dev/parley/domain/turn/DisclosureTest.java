package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.SkillNeed;
import dev.parley.domain.definition.SkillTool;
import dev.parley.domain.definition.SkillVersion;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent.PermissionDecided;
import dev.parley.domain.protocol.TurnEvent.ToolCalled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DisclosureTest {
    private static final List<String> OWN =
            List.of("message", "todo_write", "todo_read", "remind", "reminders", "load_skill");

    private final SessionFixture session = new SessionFixture();

    @BeforeEach
    void removeOtherAgents() {
        session.definitions(FixedDefinitions::alone);
    }

    private static ToolSpec tool(String name, String version, ToolAccess access) {
        return new ToolSpec(
                name, "Does " + name, """
                    {"type":"object","properties":{"to":{"type":"string"},"limit":{"type":"integer"}},"required":["to","limit"]}\
                    """, ToolEffect.IDEMPOTENT, Duration.ofMinutes(1), null, version, access);
    }

    private static Skill skill(String name, String text, List<SkillTool> tools, SkillNeed... needs) {
        return new Skill(name, "1.0.0", "How to " + name, text, null, tools, List.of(needs), List.of(), null);
    }

    private static Skill skill(String name, String... tools) {
        return skill(
                name, "# " + name, List.of(tools).stream().map(SkillTool::of).toList());
    }

    private void knows(Skill... skills) {
        for (Skill skill : skills) {
            session.definitions(definitions -> definitions.with(skill));
        }
    }

    private void offers(ToolSpec... tools) {
        for (ToolSpec tool : tools) {
            session.definitions(definitions -> definitions.with(tool));
        }
    }

    private void has(int tokens, AgentSkill... skills) {
        session.agentIs(FixedDefinitions.skilled(tokens, skills));
    }

    private static AgentSkill allSkills() {
        return new AgentSkill(AgentSkill.ALL, null, 0, null);
    }

    private static AgentSkill named(String name, int priority, @Nullable String config) {
        return new AgentSkill(name, null, priority, config);
    }

    private String calls(String tool, String arguments) {
        session.modelCalls(SessionFixture.call("c", tool, arguments));
        return session.events(ToolCalled.class).getLast().content();
    }

    private String loads(String name) {
        return calls("load_skill", "{\"name\":\"%s\"}".formatted(name));
    }

    /** Names of the tools of the last request, except those that every request has. */
    private List<String> toolNames() {
        var names = new ArrayList<>(
                session.asked().tools().stream().map(ToolSpec::name).toList());
        names.removeAll(OWN);
        return names;
    }

    private ToolSpec shownTool(String name) {
        return session.asked().tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String prompt() {
        return session.asked().agent().prompt();
    }

    private static Settings from(String skills) {
        return new Settings(null, null, null, null, null, Map.of(Settings.SKILLS, skills));
    }

    @Test
    @Tag("A5")
    void turnStartsWithItsRequestedSkills() {
        // Given
        offers(tool("mail", "1.0.0", ToolAccess.WRITE));
        knows(skill("write letters", "mail"), skill("count"));
        has(1_000, allSkills());

        // When
        session.says("write to Ada", from("write letters"));

        // Then
        assertTrue(prompt().contains("# write letters"), prompt());
        assertFalse(prompt().contains("# count"), prompt());
        assertTrue(toolNames().contains("mail"));
        session.modelAnswers("done");
        session.refuses(session.says("dance", from("count,dance")), "unknown_skill");
    }

    @Test
    @Tag("A5")
    void turnWithAllSkillsStartsWithThoseThatFitTheBudget() {
        // Given
        knows(skill("small"), skill("large", "#".repeat(100), List.of()), skill("most", "#".repeat(4_000), List.of()));
        has(40, named("small", 1, null), named("large", 2, null), named("most", 3, null));

        // When
        session.says("go", from("*"));

        // Then
        assertTrue(prompt().contains("<skill name=\"large\""), prompt());
        assertTrue(prompt().contains("<skill name=\"small\""), prompt());
        assertFalse(prompt().contains("<skill name=\"most\""), prompt());
    }

    @Test
    @Tag("A5")
    @Tag("A12")
    void loadedSkillShowsItsTextAndTools() {
        // Given
        offers(tool("mail", "1.0.0", ToolAccess.WRITE));
        knows(skill("write letters", "mail"), skill("count"));
        has(1_000, allSkills());
        session.says("write to Ada");
        assertEquals(List.of("search", "write"), toolNames());
        assertTrue(shownTool("load_skill")
                .description()
                .endsWith("\n- count: How to count\n- write letters: How to write letters"));
        assertFalse(prompt().contains("# write letters"));

        // When
        String result = loads("write letters");

        // Then
        assertEquals("Loaded: write letters. Its text stands in the instructions. Tools: mail.", result);
        assertEquals(
                "You are default\n\n<skill name=\"write letters\" version=\"1.0.0\">\n# write letters\n</skill>",
                prompt());
        assertEquals(List.of("search", "write", "unload_skill", "mail"), toolNames());

        // When
        calls("unload_skill", "{\"name\":\"write letters\"}");

        // Then
        assertEquals(List.of("search", "write"), toolNames());
        assertFalse(prompt().contains("# write letters"));
    }

    @Test
    @Tag("A12")
    void rejectsACallOfAToolThatIsNotLoaded() {
        // Given
        offers(tool("mail", "1.0.0", ToolAccess.WRITE));
        knows(skill("letters", "mail"));
        has(1_000, allSkills());
        session.says("write to Ada");

        // When
        String result = calls("mail", "{}");

        // Then
        assertEquals("error: the tool 'mail' is not loaded: load the skill 'letters' first", result);
        assertEquals(0, session.requests().count());
    }

    @Test
    void loadedSkillStaysUntilTheContextIsCleared() {
        // Given
        knows(skill("count"));
        has(1_000, allSkills());
        session.says("one");
        loads("count");
        session.modelAnswers("done");

        // When
        session.says("two");

        // Then
        assertTrue(prompt().contains("# count"));

        // When
        session.modelAnswers("done");
        session.resets(Reset.CLEAR);
        session.says("three");

        // Then
        assertFalse(prompt().contains("# count"));
    }

    @Test
    void hidesALoadedSkillThatTheAgentNoLongerHas() {
        // Given
        offers(tool("mail", "1.0.0", ToolAccess.WRITE));
        knows(skill("letters", "mail"));
        has(1_000, allSkills());
        session.says("write to Ada");
        loads("letters");
        session.modelAnswers("done");

        // When
        has(1_000);
        session.says("again");

        // Then
        assertFalse(prompt().contains("# letters"));
        assertFalse(toolNames().contains("unload_skill"));
    }

    @Test
    @Tag("A15")
    void loadsTheDependenciesOfASkillBeforeIt() {
        // Given
        knows(
                skill("top", "# top", List.of(), new SkillNeed("middle", true), new SkillNeed("extra", false)),
                skill("middle", "# middle", List.of(), new SkillNeed("bottom", true)),
                skill("bottom"),
                skill("extra"));
        has(1_000, named("top", 0, null));
        session.says("go");

        // When
        String result = loads("top");

        // Then
        assertEquals("Loaded: top. Its text stands in the instructions. It builds on: extra, bottom, middle.", result);
        List<String> order = List.of("# extra", "# bottom", "# middle", "# top");
        assertEquals(
                order,
                order.stream()
                        .sorted((a, b) -> prompt().indexOf(a) - prompt().indexOf(b))
                        .toList());
    }

    @Test
    @Tag("A15")
    void rejectsSkillsThatCannotBeLoadedCompletely() {
        // Given
        knows(
                skill("alone", "# alone", List.of(), new SkillNeed("missing", true)),
                skill("hen", "# hen", List.of(), new SkillNeed("egg", true)),
                skill("egg", "# egg", List.of(), new SkillNeed("hen", true)),
                skill("long", "x".repeat(500), List.of()));
        has(100, allSkills());
        session.says("go");

        // When, then
        assertEquals("error: the skill 'alone' needs the skill 'missing', which does not exist", loads("alone"));
        assertEquals("error: the skills hen → egg → hen need each other", loads("hen"));
        assertEquals(
                "error: the skill 'long' with what it needs takes about 125 tokens, and there is room for 100",
                loads("long"));
        assertEquals("error: there is no skill 'none'; there are alone, egg, hen, long", loads("none"));
        assertEquals("You are default", prompt());
    }

    @Test
    @Tag("A11")
    void unloadsTheSkillOfLowestPriorityToMakeRoom() {
        // Given
        String text = "x".repeat(150);
        knows(skill("a", text, List.of()), skill("b", text, List.of()), skill("c", text, List.of()));
        has(100, named("b", 1, "{\"team\":\"red\"}"), named("a", 0, null), named("c", 2, null));
        session.says("go");
        assertTrue(shownTool("load_skill").description().endsWith(":\n- b: How to b\n- a: How to a\n- c: How to c"));
        loads("a");
        loads("b");
        assertTrue(prompt().contains("Configuration: {\"team\":\"red\"}"));

        // When
        String result = loads("c");

        // Then
        assertTrue(result.endsWith("To make room, these were unloaded: a."), result);
        assertEquals(
                List.of(new SkillVersion("b", "1.0.0"), new SkillVersion("c", "1.0.0")),
                session.state().disclosed().skills());
    }

    @Test
    @Tag("A11")
    void omitsDescriptionsBeyondTheBudgetAndOffersSearch() {
        // Given
        offers(tool(ToolSpec.TOOL_SEARCH, "", ToolAccess.READ));
        knows(skill("a"), skill("b"), skill("c"));
        has(8, named("a", 0, null), named("b", 5, null), named("c", 1, null));

        // When
        session.says("go");

        // Then
        assertTrue(
                shownTool("load_skill")
                        .description()
                        .endsWith("Skills:\n- b: How to b\n- c: How to c\n- and 1 more: find them with tool_search"),
                shownTool("load_skill").description());
        assertTrue(toolNames().contains(ToolSpec.TOOL_SEARCH));
    }

    @Test
    @Tag("A6")
    void loadingASkillNamesItsParents() {
        // Given
        knows(
                skill("office"),
                new Skill("mail", "1.0.0", "", "", "office", List.of(), List.of(), List.of(), null),
                new Skill("news", "1.0.0", "", "", "mail", List.of(), List.of(), List.of(), null));
        has(1_000, allSkills());
        session.says("go");

        // When, then
        assertTrue(loads("news").startsWith("Loaded: office > mail > news."));
    }

    @Test
    @Tag("A7")
    @Tag("A16")
    void anAgentAndASkillUseTheVersionThatTheyName() {
        // Given
        offers(tool("mail", "2.0.0", ToolAccess.READ), tool("mail", "1.0.0", ToolAccess.READ));
        var pinned = new SkillTool("mail", "1.0.0", ToolAccess.EXECUTE, SkillTool.NOTHING, false);
        knows(
                new Skill("s", "2.0.0", "", "# new", null, List.of(SkillTool.of("mail")), List.of(), List.of(), null),
                new Skill("s", "1.0.0", "", "# old", null, List.of(pinned), List.of(), List.of(), null));
        has(1_000, new AgentSkill("s", "1.0.0", 0, null));
        session.says("go");

        // When
        loads("s");
        session.modelCalls(SessionFixture.call("old", "mail", "{}"));

        // Then
        assertTrue(prompt().contains("# old"));
        assertEquals("1.0.0", session.toolRequest("old").version());
        session.toolAnswers("old", "sent");

        // When
        has(1_000, allSkills());
        session.modelAnswers("done");
        session.says("again");
        loads("s");
        session.modelCalls(SessionFixture.call("new", "mail", "{}"));

        // Then
        assertEquals("2.0.0", session.toolRequest("new").version());
    }

    @Test
    @Tag("A13")
    void aSkillThatOnlyLetsReadRefusesAToolThatWrites() {
        // Given
        offers(tool("mail", "1.0.0", ToolAccess.WRITE), tool("look", "1.0.0", ToolAccess.READ));
        knows(skill(
                "s",
                "",
                List.of(
                        new SkillTool("mail", null, ToolAccess.READ, SkillTool.NOTHING, false),
                        new SkillTool("look", null, ToolAccess.READ, SkillTool.NOTHING, false))));
        has(1_000, allSkills());
        session.says("go");
        loads("s");

        // When
        String result = calls("mail", "{}");

        // Then
        assertEquals(
                "error: denied: the skill 's' gives read access to 'mail', which does more; do without it", result);
        assertEquals(
                PermissionAction.DENY,
                session.events(PermissionDecided.class).getLast().action());
        assertEquals(0, session.requests().count());

        // When
        session.modelCalls(SessionFixture.call("d", "look", "{}"));

        // Then
        assertEquals("{}", session.toolRequest("d").arguments());
    }

    @Test
    @Tag("A14")
    void lockedArgumentsOverrideTheModelsAndAreDescribed() {
        // Given
        offers(tool("mail", "1.0.0", ToolAccess.READ), tool("post", "1.0.0", ToolAccess.READ));
        knows(skill(
                "s",
                "",
                List.of(
                        new SkillTool("mail", null, ToolAccess.EXECUTE, "{\"limit\": 5}", true),
                        new SkillTool("post", null, ToolAccess.EXECUTE, "{\"limit\":5,\"cc\":[\"a\"]}", false))));
        has(1_000, allSkills());
        session.says("go");

        // When
        loads("s");

        // Then
        assertEquals(
                "Does mail Every call has limit = 5; this cannot be changed.",
                shownTool("mail").description());
        assertEquals(
                "{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\"}},\"required\":[\"to\"]}",
                shownTool("mail").parameters());

        // When
        session.modelCalls(
                SessionFixture.call("a", "mail", "{\"to\":\"Ada\",\"limit\":50}"),
                SessionFixture.call("b", "post", "{\"limit\":50 , \"to\":\"\\\"Bob\\\"\"}"),
                SessionFixture.call("c", "post", "no json"),
                SessionFixture.call("d", "mail", "{\"limit\":50,}"),
                SessionFixture.call("e", "post", ""));

        // Then
        assertEquals("{\"to\":\"Ada\",\"limit\":5}", session.toolRequest("a").arguments());
        assertEquals(
                "{\"limit\":50,\"to\":\"\\\"Bob\\\"\",\"cc\":[\"a\"]}",
                session.toolRequest("b").arguments());
        assertEquals("no json", session.toolRequest("c").arguments());
        assertEquals("{\"limit\":5,\"cc\":[\"a\"]}", session.toolRequest("e").arguments());
        assertEquals(
                "error: the arguments are not a JSON object",
                session.events(ToolCalled.class).getLast().content());
    }

    @Test
    @Tag("A25")
    @Tag("A12")
    void requestContainsOnlyFoundToolsOfALargeCatalogue() {
        // Given
        offers(tool(ToolSpec.TOOL_SEARCH, "", ToolAccess.READ));
        IntStream.range(0, 1_000).forEach(i -> offers(tool("tool" + i, "1.0.0", ToolAccess.READ)));
        IntStream.range(0, 200).forEach(i -> knows(skill("skill" + i, "tool" + i)));
        has(1_000, allSkills());
        session.says("go");
        assertEquals(List.of("search", "write", "tool_search"), toolNames());
        assertEquals("error: the tool 'tool700' is not loaded: find it with tool_search", calls("tool700", "{}"));

        // When
        session.modelCalls(SessionFixture.call("s", "tool_search", "{\"query\":\"seven hundred\"}"));
        session.toolAnswers(
                "s", "{\"tools\":[{\"name\":\"tool700\"},{\"name\":\"tool7\"},{\"name\":\"rm\"},{\"name\":7}]}");

        // Then
        assertEquals(List.of("search", "write", "tool700", "tool_search"), toolNames(), "tool7 comes with its skill");
        session.modelCalls(SessionFixture.call("t", "tool700", "{}"));
        assertEquals("1.0.0", session.toolRequest("t").version());
        session.toolAnswers("t", "done");

        // When
        session.modelCalls(SessionFixture.call("u", "tool_search", "{\"query\":\"others\"}"));
        session.toolAnswers(
                "u",
                "{\"tools\":[%s]}"
                        .formatted(String.join(
                                ",",
                                IntStream.range(300, 320)
                                        .mapToObj("{\"name\":\"tool%d\"}"::formatted)
                                        .toList())));

        // Then
        assertEquals(3 + Disclosures.FOUND, toolNames().size());
        assertFalse(toolNames().contains("tool700"), "the last found ones are shown");
    }

    @Test
    void ignoresToolNamesInResultsOfOtherTools() {
        // Given
        IntStream.range(0, 30).forEach(i -> offers(tool("tool" + i, "1.0.0", ToolAccess.READ)));
        session.says("go");

        // When
        session.modelCalls(SessionFixture.call("s", "search", "{}"));
        session.toolAnswers("s", "{\"tools\":[{\"name\":\"tool1\"}]}");

        // Then
        assertEquals(List.of("search", "write"), toolNames());
    }

    @Test
    @Tag("A14")
    void lockedArgumentsHoldInDependentSkills() {
        // Given
        offers(tool("post", "1.0.0", ToolAccess.WRITE));
        var locked = new SkillTool("post", null, ToolAccess.EXECUTE, "{\"to\":\"#test\"}", true);
        knows(
                skill("top", "", List.of(), new SkillNeed("below", true)),
                skill("below", "", List.of(locked)),
                skill(
                        "other",
                        "",
                        List.of(new SkillTool("post", null, ToolAccess.EXECUTE, "{\"to\":\"#all\"}", true))));
        has(1_000, named("top", 0, null), named("other", 0, null));
        session.says("go");
        assertFalse(toolNames().contains("post"));

        // When
        loads("top");
        String refused = loads("other");

        // Then
        assertEquals(
                "error: the skills 'below' and 'other' want 'post' to be called differently; unload one of them first",
                refused);
        session.modelCalls(SessionFixture.call("p", "post", "{\"to\":\"#all\",\"limit\":1}"));
        assertEquals("{\"to\":\"#test\",\"limit\":1}", session.toolRequest("p").arguments());
    }

    /** The ways in which a skill limits a tool that writes. */
    static List<SkillTool> limits() {
        return List.of(
                new SkillTool("post", null, ToolAccess.EXECUTE, "{\"to\":\"#test\"}", true),
                new SkillTool("post", null, ToolAccess.READ, SkillTool.NOTHING, false),
                new SkillTool("post", "0.9.0", ToolAccess.READ, SkillTool.NOTHING, true));
    }

    private void postIsLimitedBy(SkillTool link) {
        offers(tool("post", "1.0.0", ToolAccess.WRITE));
        knows(skill("letters", "", List.of(link)), skill("count"));
    }

    @ParameterizedTest
    @MethodSource("limits")
    @Tag("B130")
    void agentWithoutListsDoesNotHaveAToolThatASkillLimits(SkillTool link) {
        postIsLimitedBy(link);
        has(1_000);
        refusesToPost();
    }

    @ParameterizedTest
    @MethodSource("limits")
    @Tag("B130")
    void agentOfOtherSkillsDoesNotHaveAToolThatASkillLimits(SkillTool link) {
        postIsLimitedBy(link);
        has(1_000, named("count", 0, null));
        refusesToPost();
    }

    private void refusesToPost() {
        // Given
        session.says("post it");

        // When
        String result = calls("post", "{\"to\":\"#all\",\"limit\":1}");

        // Then
        assertFalse(toolNames().contains("post"));
        assertEquals(
                "error: the tool 'post' is not loaded: it belongs to the skill 'letters', which this agent does not"
                        + " have",
                result);
        assertEquals(0, session.requests().count());
    }

    @ParameterizedTest
    @MethodSource("limits")
    @Tag("B130")
    void agentThatListsALimitedToolHasItWithoutTheLimits(SkillTool link) {
        // Given
        postIsLimitedBy(link);
        session.agentIs(FixedDefinitions.skilled(1_000, List.of("post")));
        session.says("post it");

        // When
        session.modelCalls(SessionFixture.call("p", "post", "{\"to\":\"#all\"}"));

        // Then
        assertEquals("{\"to\":\"#all\"}", session.toolRequest("p").arguments());
    }

    @Test
    @Tag("B130")
    void toolThatNoSkillLimitsStaysWithEveryAgent() {
        // Given
        offers(tool("look", "1.0.0", ToolAccess.READ), tool("post", "1.0.0", ToolAccess.WRITE));
        knows(
                skill("letters", "", List.of(new SkillTool("look", null, ToolAccess.READ, "{\"limit\":5}", false))),
                skill("posts", "post"));
        has(1_000);
        session.says("look");

        // When
        session.modelCalls(
                SessionFixture.call("a", "look", "{\"to\":\"Ada\"}"),
                SessionFixture.call("b", "post", "{\"to\":\"Bob\"}"));

        // Then
        assertEquals("{\"to\":\"Ada\"}", session.toolRequest("a").arguments());
        assertEquals("{\"to\":\"Bob\"}", session.toolRequest("b").arguments());
    }
}
