package dev.parley.domain.turn;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.SkillTool;
import dev.parley.domain.definition.SkillVersion;
import dev.parley.domain.definition.Skills;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnEvent.DisclosureChanged;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How a model gets to see more than every request carries: by loading skills, and by searching for tools. */
final class Disclosures {
    /** Most tools that are shown because they were found. */
    static final int FOUND = 10;

    private Disclosures() {}

    /** What the session's agent can learn. */
    private static Skills skills(Draft draft) {
        return Skills.of(draft.agent(), draft.definitions(), draft.state().disclosed());
    }

    /** The tools that the model of the active turn sees now. */
    static Toolset tools(Draft draft) {
        return draft.definitions()
                .toolset(draft.agent(), draft.state().disclosed())
                .with(draft.turn().turn().tools());
    }

    /** The agent with the texts of what it has learnt. */
    static Agent instructed(Draft draft) {
        return MemorySteps.directed(
                draft, draft.agent().instructed(skills(draft).instructions()));
    }

    /** Loads a skill. @return what the model is told. @throws IllegalArgumentException saying to it why that cannot be */
    static String load(Draft draft, ToolCall call) {
        Skills skills = skills(draft);
        String name = name(call);
        Skills.Loading loading = skills.load(name);
        if (!loading.added().isEmpty()) {
            disclose(draft, loading.loaded(), draft.state().disclosed().tools());
        }
        Skill skill = loading.loaded().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        var told = new StringBuilder(loading.added().isEmpty() ? "It is loaded already: " : "Loaded: ")
                .append(skills.path(skill))
                .append(". Its text stands in the instructions.");
        also(
                told,
                " It builds on: ",
                loading.added().stream()
                        .map(Skill::name)
                        .filter(one -> !one.equals(name))
                        .toList());
        also(told, " Tools: ", shownBy(draft, loading.added()));
        also(told, " To make room, these were unloaded: ", loading.dropped());
        return told.toString();
    }

    /** Loads the skills that the turn wants from its beginning, as far as there are such and there is room. */
    static void begin(Draft draft) {
        for (String name : draft.agent().firstSkills()) {
            Skills skills = skills(draft);
            List<Skill> loaded = name.equals(AgentSkill.ALL) ? skills.fitting() : skills.with(name);
            if (!loaded.equals(skills.loaded())) {
                disclose(draft, loaded, draft.state().disclosed().tools());
            }
        }
    }

    private static List<String> shownBy(Draft draft, List<Skill> skills) {
        Toolset tools = tools(draft);
        return skills.stream()
                .flatMap(skill -> skill.tools().stream())
                .map(SkillTool::tool)
                .distinct()
                .filter(tool -> tools.find(tool).isPresent())
                .toList();
    }

    private static void also(StringBuilder told, String words, List<String> names) {
        if (!names.isEmpty()) {
            told.append(words).append(String.join(", ", names)).append('.');
        }
    }

    private static String name(ToolCall call) {
        return Arguments.of(call.arguments())
                .map(arguments -> arguments.text("name"))
                .orElse("");
    }

    /** Takes a skill out of sight, and those that cannot do without it. @return what the model is told */
    static String unload(Draft draft, ToolCall call) {
        String name = name(call);
        Skills skills = skills(draft);
        List<Skill> left = skills.without(name);
        if (left.size() == skills.loaded().size()) {
            throw new IllegalArgumentException("the skill '" + name + "' is not loaded");
        }
        String gone = skills.loaded().stream()
                .filter(skill -> !left.contains(skill))
                .map(Skill::name)
                .collect(Collectors.joining(", "));
        disclose(draft, left, draft.state().disclosed().tools());
        return "Unloaded: " + gone + ".";
    }

    /** A search came back: the tools that it names are shown from now on, the last found ones in place of earlier ones. */
    static void found(Draft draft, String content) {
        Toolset tools = tools(draft);
        var found = new ArrayList<>(draft.state().disclosed().tools());
        List<String> more = Arguments.objects(content, "tools").orElse(List.of()).stream()
                .map(tool -> tool.text("name"))
                .filter(name -> tools.isSearchable(name) || found.contains(name))
                .distinct()
                .limit(FOUND)
                .toList();
        if (!more.isEmpty()) {
            found.removeAll(more);
            found.addAll(more);
            disclose(draft, skills(draft).loaded(), found.subList(Math.max(0, found.size() - FOUND), found.size()));
        }
    }

    private static void disclose(Draft draft, List<Skill> skills, List<String> tools) {
        var versions = skills.stream()
                .map(skill -> new SkillVersion(skill.name(), skill.version()))
                .toList();
        draft.emit(new DisclosureChanged(draft.turnMeta(), new Disclosed(versions, tools)));
    }
}
