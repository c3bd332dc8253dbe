package dev.parley.tools.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Searches tools and skills of a catalogue that is too large for the prompt. The turn machine discloses the tools in
 * its result.
 */
record ToolSearchTool(DefinitionCatalogue catalogue, HybridSearch search) implements Tool {
    private static final ObjectMapper JSON = JsonMappers.shared();
    private static final int MAX_TOOLS = 8;
    private static final int MAX_SKILLS = 5;
    private static final ToolSpec SPEC = new ToolSpec(
                    ToolSpec.TOOL_SEARCH,
                    "Searches for tools and skills by purpose. The tools it returns can be called from then on; load a skill"
                            + " with load_skill.",
                    """
                    {"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":500,\
                    "description":"Purpose, in a few words."}},"required":["query"],"additionalProperties":false}""",
                    ToolEffect.IDEMPOTENT,
                    Duration.ofSeconds(60))
            .with(ToolAccess.READ);

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) {
        Definitions definitions = catalogue.in(call.host(), call.project());
        Agent agent = definitions.agent(call.agent()).orElse(null);
        if (agent == null) {
            return new ToolOutput.Failed("the agent '" + call.agent() + "' no longer exists");
        }
        String query = arguments.get("query").asText();
        Toolset.Searchable searchable = Toolset.searchable(agent, definitions);
        ObjectNode found = JSON.createObjectNode();
        add(
                found.putArray("tools"),
                search.find(query, searchable.tools(), tool -> tool.name() + ": " + tool.description(), MAX_TOOLS),
                ToolSpec::name,
                ToolSpec::description);
        add(
                found.putArray("skills"),
                search.find(query, searchable.skills(), Skill::about, MAX_SKILLS),
                Skill::name,
                Skill::description);
        return ToolOutput.of(found.toString());
    }

    private static <T> void add(
            ArrayNode array, List<T> items, Function<T, String> name, Function<T, String> description) {
        items.forEach(
                item -> array.addObject().put("name", name.apply(item)).put("description", description.apply(item)));
    }
}
