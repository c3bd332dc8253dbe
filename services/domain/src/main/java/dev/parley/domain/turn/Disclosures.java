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
import dev.parley.domain.turn.answer.ToolArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Progressive disclosure: skills are loaded and tools are searched before the model sees them. */
final class Disclosures {
    /** Maximum tools shown because a search found them. */
    static final int FOUND = 10;

    private Disclosures() {}

    /** The skills of the session's agent. */
    private static Skills skills(TurnDraft draft) {
        return Skills.of(draft.agent(), draft.definitions(), draft.state().disclosed());
    }

    /** The tools currently shown to the active turn's model. */
    static Toolset tools(TurnDraft draft) {
        return draft.definitions()
                .toolset(draft.agent(), draft.state().disclosed())
                .with(draft.turn().turn().tools());
    }

    /** The agent with the texts of its loaded skills. */
    static Agent instructedAgent(TurnDraft draft) {
        return MemorySteps.withDirectives(
                draft, draft.agent().withAddedInstructions(skills(draft).instructions()));
    }

    /**
     * Loads a skill.
     *
     * @return the result for the model
     * @throws IllegalArgumentException if it cannot be loaded; the message is for the model
     */
    static String load(TurnDraft draft, ToolCall call) {
        Skills skills = skills(draft);
        String name = name(call);
        Skills.Loading loading = skills.load(name);
        if (!loading.added().isEmpty()) {
            disclose(draft, loading.loaded(), draft.state().disclosed().tools());
        }
        Skill skill = loading.loaded().stream()
                .filter(loaded -> loaded.name().equals(name))
                .findFirst()
                .orElseThrow();
        return loadingResult(draft, loading, name, skills.path(skill));
    }

    private static String loadingResult(TurnDraft draft, Skills.Loading loading, String name, String path) {
        var result = new StringBuilder(loading.added().isEmpty() ? "It is loaded already: " : "Loaded: ")
                .append(path)
                .append(". Its text stands in the instructions.");
        appendNames(
                result,
                " It builds on: ",
                loading.added().stream()
                        .map(Skill::name)
                        .filter(added -> !added.equals(name))
                        .toList());
        appendNames(result, " Tools: ", toolNames(draft, loading.added()));
        appendNames(result, " To make room, these were unloaded: ", loading.dropped());
        return result.toString();
    }

    /** Loads the initial skills of a turn, as far as they exist and fit. */
    static void loadInitial(TurnDraft draft) {
        for (String name : draft.agent().firstSkills()) {
            Skills skills = skills(draft);
            List<Skill> loaded = name.equals(AgentSkill.ALL) ? skills.fitting() : skills.with(name);
            if (!loaded.equals(skills.loaded())) {
                disclose(draft, loaded, draft.state().disclosed().tools());
            }
        }
    }

    private static List<String> toolNames(TurnDraft draft, List<Skill> skills) {
        Toolset tools = tools(draft);
        return skills.stream()
                .flatMap(skill -> skill.tools().stream())
                .map(SkillTool::tool)
                .distinct()
                .filter(tool -> tools.find(tool).isPresent())
                .toList();
    }

    private static void appendNames(StringBuilder result, String label, List<String> names) {
        if (!names.isEmpty()) {
            result.append(label).append(String.join(", ", names)).append('.');
        }
    }

    private static String name(ToolCall call) {
        return ToolArguments.orEmpty(call.arguments()).text("name");
    }

    /** Unloads a skill, and those that require it. Returns the result for the model. */
    static String unload(TurnDraft draft, ToolCall call) {
        String name = name(call);
        Skills skills = skills(draft);
        List<Skill> remaining = skills.without(name);
        if (remaining.size() == skills.loaded().size()) {
            throw new IllegalArgumentException("the skill '" + name + "' is not loaded");
        }
        String unloaded = skills.loaded().stream()
                .filter(skill -> !remaining.contains(skill))
                .map(Skill::name)
                .collect(Collectors.joining(", "));
        disclose(draft, remaining, draft.state().disclosed().tools());
        return "Unloaded: " + unloaded + ".";
    }

    /** Handles a search result: shows the tools it names, in place of the least recently found ones. */
    static void showFound(TurnDraft draft, String content) {
        Toolset tools = tools(draft);
        var found = new ArrayList<>(draft.state().disclosed().tools());
        List<String> names = ToolArguments.objects(content, "tools").orElse(List.of()).stream()
                .map(tool -> tool.text("name"))
                .filter(name -> tools.isSearchable(name) || found.contains(name))
                .distinct()
                .limit(FOUND)
                .toList();
        if (!names.isEmpty()) {
            found.removeAll(names);
            found.addAll(names);
            disclose(draft, skills(draft).loaded(), found.subList(Math.max(0, found.size() - FOUND), found.size()));
        }
    }

    private static void disclose(TurnDraft draft, List<Skill> skills, List<String> tools) {
        var versions = skills.stream()
                .map(skill -> new SkillVersion(skill.name(), skill.version()))
                .toList();
        draft.emit(new DisclosureChanged(draft.turnMeta(), new Disclosed(versions, tools)));
    }
}
