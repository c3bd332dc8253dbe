package dev.parley.domain.definition;

import dev.parley.domain.content.Todo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tools shown to a model, which are also those that it can call: the agent's own, and those of the loaded skills. If
 * there are too many to show at once, the model is shown those it has searched for. A tool that a skill of the project
 * {@linkplain SkillTool#limits limits} is the agent's own only if the agent lists it.
 */
public final class Toolset {
    /** Maximum tools shown without a search to an agent that lists no tools. */
    static final int AT_ONCE = 20;

    private static final ToolSpec MESSAGE = ofMachine(
            ToolSpec.MESSAGE,
            "Sends text to the user immediately, before the turn ends. Use it to report progress.",
            """
            {"type":"object","properties":{"text":{"type":"string","description":"Text to send."}},\
            "required":["text"],"additionalProperties":false}\
            """);

    private static final ToolSpec TODO_WRITE = ofMachine(
            ToolSpec.TODO_WRITE,
            "Replaces the todo list for work of several steps. Pass the whole list, in order. "
                    + "The user sees the activeForm of the item in progress.",
            """
            {"type":"object","properties":{"todos":{"type":"array","maxItems":%d,"items":{"type":"object","properties":{\
            "content":{"type":"string","minLength":1,"maxLength":%d,"description":"Item in the imperative, such as: Write the report."},\
            "activeForm":{"type":"string","minLength":1,"maxLength":%2$d,"description":"Item in progress, such as: Writing the report."},\
            "status":{"type":"string","enum":["pending","in_progress","completed"],\
            "description":"State of the item. At most one is in_progress."}},\
            "required":["content","activeForm","status"],"additionalProperties":false}}},\
            "required":["todos"],"additionalProperties":false}\
            """.formatted(Todo.MAX_COUNT, Todo.MAX_LENGTH));

    private static final ToolSpec TODO_READ = ofMachine(
            ToolSpec.TODO_READ,
            "Returns the current todo list.",
            "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");

    private static final ToolSpec REMIND = ofMachine(
            ToolSpec.REMIND,
            "Sets a reminder in this conversation: at a time, after a while, or again and again. "
                    + "Times without an offset are on the user's clock.",
            """
            {"type":"object","properties":{\
            "text":{"type":"string","minLength":1,"maxLength":%d,"description":"Text to send, or the task that you are given then."},\
            "at":{"type":"string","description":"Time, such as 2030-01-31T09:00."},\
            "after":{"type":"string","description":"Duration from now, such as PT20M or PT48H."},\
            "cron":{"type":"string","description":"Times of one that repeats, in five fields: 0 9 * * 1-5 is each weekday at nine."},\
            "timeZone":{"type":"string","description":"Zone of the times, such as Europe/Berlin. Defaults to the user's."},\
            "begin":{"type":"boolean","description":"Whether you are given the text as a task, to answer it. Defaults to false: the text is sent."}},\
            "required":["text"],"additionalProperties":false}\
            """.formatted(ToolSpec.MAX_REMINDER));

    private static final ToolSpec REMINDERS = ofMachine(
            ToolSpec.REMINDERS,
            "Returns the user's reminders in this conversation. Cancels one of them before, if its id is given.",
            """
            {"type":"object","properties":{"cancel":{"type":"string","description":"Id of the reminder to cancel."}},\
            "additionalProperties":false}\
            """);

    private static final ToolSpec ASK_OPERATOR = ofMachine(
            ToolSpec.ASK_OPERATOR,
            "Asks for a person to take over this conversation, because you cannot help or the user wants a person.",
            """
            {"type":"object","properties":{\
            "reason":{"type":"string","minLength":1,"maxLength":%d,"description":"What the person needs to know: the user's problem and what was tried."}},\
            "required":["reason"],"additionalProperties":false}\
            """.formatted(ToolSpec.MAX_HANDOFF_REASON));

    private static final String SKILL = """
        {"type":"object","properties":{"name":{"type":"string","description":"Name of the skill."}},\
        "required":["name"],"additionalProperties":false}\
        """;

    private static final ToolSpec UNLOAD_SKILL =
            ofMachine(ToolSpec.UNLOAD_SKILL, "Unloads a skill and its tools when they are no longer needed.", SKILL);

    private static final String SEARCH = "find it with " + ToolSpec.TOOL_SEARCH;

    private final Map<String, Offer> offers;
    /** Hidden tools, each with a hint for the model how to find it. */
    private final Map<String, String> hidden;

    private final List<ToolSpec> specs;

    private Toolset(Map<String, Offer> offers, Map<String, String> hidden) {
        this.offers = offers;
        this.hidden = hidden;
        specs = offers.values().stream().map(Offer::modelSpec).toList();
    }

    /**
     * A tool that is shown.
     *
     * @param skill that brings it, or null for the agent's own tools
     * @param link the skill's configuration of the tool, or null
     */
    public record Offer(
            ToolSpec spec, @Nullable Skill skill, @Nullable SkillTool link) {
        static Offer of(ToolSpec spec) {
            return new Offer(spec, null, null);
        }

        /** The access granted to calls. */
        public ToolAccess access() {
            return link == null ? ToolAccess.EXECUTE : link.access();
        }

        /** The tool as the model reads it, without locked arguments. */
        ToolSpec modelSpec() {
            return link == null || !link.locked() ? spec : SkillArguments.hideLocked(spec, link);
        }
    }

    /**
     * Tools and skills that an agent's model can find by search.
     *
     * @param tools that are shown once found
     * @param skills that can be loaded
     */
    public record Searchable(List<ToolSpec> tools, List<Skill> skills) {}

    /** Returns the tools and skills that an agent's model can find by search. */
    public static Searchable searchable(Agent agent, Definitions definitions) {
        Toolset tools = of(agent, definitions, Disclosed.NONE);
        return new Searchable(
                definitions.tools().stream()
                        .filter(tool -> tools.isSearchable(tool.name()))
                        .toList(),
                Skills.of(agent, definitions, Disclosed.NONE).all());
    }

    /** The tools currently shown to the agent's model; {@code delegate} only if there is an agent to delegate to. */
    public static Toolset of(Agent agent, Definitions definitions, Disclosed disclosed) {
        Skills skills = Skills.of(agent, definitions, disclosed);
        var hidden = new LinkedHashMap<String, String>();
        var offers = new LinkedHashMap<String, Offer>();
        Map<String, String> limited = agent.tools().isEmpty() ? limitedTools(definitions) : Map.of();
        var notOwn = new HashSet<>(skills.linkedTools());
        notOwn.addAll(limited.keySet());
        List<ToolSpec> base = base(agent, definitions, notOwn);
        boolean needsSearch = agent.tools().isEmpty() && base.size() > AT_ONCE;
        var found = new HashSet<>(disclosed.tools());
        for (ToolSpec tool : base) {
            if (needsSearch && !tool.version().isEmpty() && !found.contains(tool.name())) {
                hidden.put(tool.name(), SEARCH);
            } else {
                offers.put(tool.name(), Offer.of(tool));
            }
        }
        machineTools(agent, definitions, skills).forEach(tool -> offers.put(tool.name(), Offer.of(tool)));
        if (!hidden.isEmpty() || skills.isCut()) {
            definitions.tool(ToolSpec.TOOL_SEARCH, "").ifPresent(tool -> offers.put(tool.name(), Offer.of(tool)));
        }
        skills.loaded().forEach(skill -> skill.tools().forEach(link -> add(offers, skill, link, definitions)));
        skills.all().forEach(skill -> hide(hidden, skill));
        limited.forEach((tool, skill) ->
                hidden.putIfAbsent(tool, "it belongs to the skill '" + skill + "', which this agent does not have"));
        return new Toolset(offers, hidden);
    }

    /** The tools that skills limit, each with the name of the first such skill, whichever agents have these skills. */
    private static Map<String, String> limitedTools(Definitions definitions) {
        var limited = new LinkedHashMap<String, String>();
        for (Skill skill : definitions.skills()) {
            for (SkillTool link : skill.tools()) {
                if (definitions.tool(link.tool(), null).filter(link::limits).isPresent()) {
                    limited.putIfAbsent(link.tool(), skill.name());
                }
            }
        }
        return limited;
    }

    /**
     * The agent's own tools.
     *
     * @param notOwn names of tools that an agent without a list of tools gets from skills only
     */
    private static List<ToolSpec> base(Agent agent, Definitions definitions, Set<String> notOwn) {
        return definitions.tools().stream()
                .filter(tool -> !tool.name().equals(ToolSpec.TOOL_SEARCH))
                .filter(tool -> !ToolSpec.NEEDS_MEMORY.contains(tool.name())
                        || !agent.memory().isEmpty())
                .filter(tool -> mayUse(agent, tool) && (!agent.tools().isEmpty() || !notOwn.contains(tool.name())))
                .toList();
    }

    private static boolean mayUse(Agent agent, ToolSpec tool) {
        boolean isListed = agent.tools().contains(tool.name());
        return isListed || agent.tools().isEmpty() && !ToolSpec.BY_NAME.contains(tool.name());
    }

    /** If several skills bring a tool, the one that grants the most access applies. */
    private static void add(Map<String, Offer> offers, Skill skill, SkillTool link, Definitions definitions) {
        Offer other = offers.get(link.tool());
        if (other == null || !other.access().covers(link.access())) {
            definitions
                    .tool(link.tool(), link.version())
                    .ifPresent(tool -> offers.put(tool.name(), new Offer(tool, skill, link)));
        }
    }

    /** Hides the tools of a skill that are not shown or hidden already. */
    private static void hide(Map<String, String> hidden, Skill skill) {
        String hint = "load the skill '" + skill.name() + "' first";
        skill.tools().forEach(link -> hidden.putIfAbsent(link.tool(), hint));
    }

    /** The tools executed by the turn machine. */
    private static List<ToolSpec> machineTools(Agent agent, Definitions definitions, Skills skills) {
        var tools = new ArrayList<ToolSpec>();
        Stream.of(MESSAGE, TODO_WRITE, TODO_READ, REMIND, REMINDERS, ASK_OPERATOR)
                .filter(tool -> mayUse(agent, tool))
                .forEach(tools::add);
        var delegates = definitions.delegates(agent);
        if (agent.mayUse(ToolSpec.DELEGATE) && !delegates.isEmpty()) {
            tools.add(delegate(delegates));
        }
        if (!skills.all().isEmpty()) {
            tools.add(ofMachine(ToolSpec.LOAD_SKILL, skills.listing(), SKILL));
        }
        if (!skills.loaded().isEmpty()) {
            tools.add(UNLOAD_SKILL);
        }
        return tools;
    }

    /**
     * This toolset with the caller's tools last. Those with the name of another tool are left out: the agent's own take
     * precedence.
     */
    public Toolset with(List<ToolSpec> callers) {
        if (callers.isEmpty()) {
            return this;
        }
        var extended = new LinkedHashMap<>(offers);
        callers.stream().filter(tool -> !knows(tool.name())).forEach(tool -> extended.put(tool.name(), Offer.of(tool)));
        return new Toolset(extended, hidden);
    }

    /** Whether a tool has this name, shown or not. */
    public boolean knows(String name) {
        return offers.containsKey(name) || hidden.containsKey(name);
    }

    /** The tools as the model reads them, ordered so that the common prefix of requests comes first. */
    public List<ToolSpec> specs() {
        return specs;
    }

    /** The tool with this name, if it is shown. */
    public Optional<Offer> find(String name) {
        return Optional.ofNullable(offers.get(name));
    }

    /** Whether a search can show the tool. */
    public boolean isSearchable(String name) {
        return SEARCH.equals(hidden.get(name));
    }

    /** The error message for a model that calls a tool which is not shown. */
    public String unknown(String name) {
        String hint = hidden.get(name);
        return hint == null
                ? "there is no tool '" + name + "'; there are " + String.join(", ", offers.keySet())
                : "the tool '" + name + "' is not loaded: " + hint;
    }

    private static ToolSpec ofMachine(String name, String description, String parameters) {
        return new ToolSpec(name, description, parameters, ToolEffect.IDEMPOTENT, Duration.ofMinutes(1))
                .with(ToolAccess.READ);
    }

    private static ToolSpec delegate(Collection<Agent> delegates) {
        String names =
                delegates.stream().map(agent -> "\"" + agent.name() + "\"").collect(Collectors.joining(","));
        String descriptions = delegates.stream()
                .map(agent -> agent.name() + (agent.description().isEmpty() ? "" : ": " + agent.description()))
                .collect(Collectors.joining("; "));
        return new ToolSpec(
                ToolSpec.DELEGATE,
                "Delegates a task to another agent and returns its answer. Agents: " + descriptions,
                """
                {"type":"object","properties":{"agent":{"type":"string","enum":[%s]},\
                "task":{"type":"string","description":"Task, with everything that the agent needs to know."},"fresh":{"type":"boolean",\
                "description":"Whether the agent starts without its earlier tasks. Defaults to false."}},\
                "required":["agent","task"],"additionalProperties":false}\
                """.formatted(names),
                ToolEffect.IDEMPOTENT,
                Duration.ofMinutes(30));
    }
}
