package dev.parley.domain.definition;

import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.BankScope;
import dev.parley.domain.document.Checked;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.FaultException;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.domain.document.NotInDocuments;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The definition of an agent: a prompt with a model, tools and limits. It is long because it has what turns derive from
 * an agent, such as its options and the agent with other settings.
 *
 * @param id of a project-level or host-level agent, unique over deletion and re-creation under the same name; null for
 *     an installation-wide agent, which is identified by its name
 * @param version changes with each change of the definition; a turn keeps the version it started with
 * @param tools names of the tools that the agent may use; empty means all
 * @param skills that the agent can load, in the order in which they are listed to the model
 * @param maxTokens maximum tokens of one answer, or null for the provider's default
 * @param limits of a turn and a session
 * @param options passed through to the provider
 * @param guardrails checks of inputs and of the model's answers, in this order
 * @param color for user interfaces, or null; not given to the model
 * @param metadata for programs that read agents; not given to the model
 */
@RecordBuilder
public record Agent(
        @NotInDocuments @Nullable UUID id,

        @Field(required = true, pattern = Agent.NAME, problem = "must be 1 to 126 letters, digits, '_', '.' or '-'")
        String name,

        @NotInDocuments String version,
        @Field(length = 500) String description,
        @Field(fallback = "all") AgentMode mode,
        @Field boolean hidden,

        @Field(
                name = "model",
                required = true,
                pattern = "[A-Za-z0-9_.-]{1,64}/[^\\s\\p{Cntrl}\"\\\\]{1,126}",
                problem = "must be provider/model, for example openai/gpt-5")
        String provider,

        @Field(name = "model") String model,
        @Field(name = "apiKey", length = 256) @Nullable String apiKeyRef,
        @Field(length = 65_536) String prompt,

        @Field(entries = 200, pattern = Agent.NAME, problem = "must be the name of a tool")
        List<String> tools,

        @Field(entries = 200, key = "name") List<AgentSkill> skills,
        @Field(min = 0, max = 2) @Nullable Double temperature,
        @Field(min = 0, max = 1) @Nullable Double topP,
        @Field(min = 1, max = 10_000_000) @Nullable Integer maxTokens,
        @Field(fallback = "none") ThinkingLevel thinking,
        @Field Limits limits,
        @Field(entries = 50, length = 16_384) Map<String, String> options,
        @Field(entries = Guardrail.MAX_COUNT, key = "name") List<Guardrail> guardrails,
        @Field(form = Form.LINE, length = 32) @Nullable String color,

        @Field(
                entries = 20,
                length = 256,
                pattern = "[A-Za-z0-9_.-]{1,64}",
                problem = "must be a name of 1 to 64 letters, digits, '_', '.' or '-'")
        Map<String, String> metadata)
        implements Definition, Checked, AgentBuilder.With {
    /** The agent used when none is configured. */
    public static final String DEFAULT = "default";

    /** Option: fallback models, comma-separated, used when the agent's own model cannot answer. */
    public static final String FALLBACK = "fallback";

    /** Option: models that users may choose besides the agent's own, comma-separated. */
    public static final String MODELS = "models";

    /** Option: the model that transcribes audio, {@code provider/model}. */
    public static final String TRANSCRIBER = "transcriber";

    /** Maximum characters of a text that guardrails can check. */
    public static final int MAX_GUARDED_LENGTH = 100_000;

    /**
     * Option: the agent's memory banks, of {@code user}, {@code user_agent}, {@code agent} and {@code host},
     * comma-separated. Memories are recalled from all of them and retained to the first.
     */
    public static final String MEMORY = "memory";

    /** Option: the model that extracts facts to retain, {@code provider/model}, or {@value #RULES} for none. */
    public static final String MEMORY_MODEL = "memoryModel";

    /** Option: days after which what was retained of a turn is forgotten, including what was derived from it. */
    public static final String MEMORY_DAYS = "memoryDays";

    /** Option: how a turn uses tools, as parsed by {@link ToolChoice}. */
    public static final String TOOL_CHOICE = "toolChoice";

    /** The option value that turns a feature off. */
    public static final String NONE = "none";

    private static final int MAX_DAYS = 36_500;

    /** Options that only one provider knows. */
    private static final Set<String> BOUND = Set.of("hostedTools", "serviceTier", "verbosity", "reasoningSummary");

    /** The provider of scripted test answers, not a language model: no facts are extracted with it. */
    private static final String SCRIPTED = "scripted";

    /** The value of {@link #MEMORY_MODEL} for extraction without a model. */
    public static final String RULES = "rules";

    /** Pattern of the names of agents. */
    public static final String NAME = "[A-Za-z0-9_.-]{1,126}";

    public Agent {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException(
                    "an agent's name is 1 to 126 letters, digits, '_', '.' or '-', not '" + name + "'");
        }
        tools = List.copyOf(tools);
        skills = List.copyOf(skills);
        guardrails = List.copyOf(guardrails);
        options = Collections.unmodifiableMap(
                new TreeMap<>(options)); // in one order everywhere: the version depends on it
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    /** An agent without what only some have. */
    public Agent(
            @Nullable UUID id,
            String name,
            String version,
            String description,
            AgentMode mode,
            boolean hidden,
            String provider,
            String model,
            @Nullable String apiKeyRef,
            String prompt,
            List<String> tools,
            List<AgentSkill> skills,
            @Nullable Double temperature,
            @Nullable Double topP,
            @Nullable Integer maxTokens,
            ThinkingLevel thinking,
            Limits limits,
            Map<String, String> options,
            List<Guardrail> guardrails) {
        this(
                id,
                name,
                version,
                description,
                mode,
                hidden,
                provider,
                model,
                apiKeyRef,
                prompt,
                tools,
                skills,
                temperature,
                topP,
                maxTokens,
                thinking,
                limits,
                options,
                guardrails,
                null,
                Map.of());
    }

    /** This agent, defined under the given id, with the resulting version. */
    public Agent withDefinitionId(@Nullable UUID as) {
        return withId(as).withContentVersion();
    }

    /** Whether users may talk to the agent. */
    public boolean isPrimary() {
        return mode != AgentMode.SUBAGENT;
    }

    /** Whether other agents may delegate to this agent. */
    public boolean isDelegable() {
        return mode != AgentMode.PRIMARY;
    }

    /** Whether the agent may use this tool. */
    public boolean mayUse(String tool) {
        return tools.isEmpty() || tools.contains(tool);
    }

    /** The guardrails of this stage. */
    public List<Guardrail> guardrails(GuardrailStage stage) {
        return guardrails.stream().filter(rail -> rail.on().contains(stage)).toList();
    }

    /** This agent with additional guardrails that run before its own, with the resulting version. */
    public Agent withLeadingGuardrails(List<Guardrail> first) {
        return withGuardrails(Stream.concat(first.stream(), guardrails.stream()).toList())
                .withContentVersion();
    }

    /** The fallback models in order of preference, {@code provider/model}. */
    public List<String> fallbacks() {
        return optionValues(FALLBACK);
    }

    /** The models that users may choose, the agent's own first: {@code provider/model}. */
    public List<String> models() {
        return Stream.of(Stream.of(provider + "/" + model), optionValues(MODELS).stream(), fallbacks().stream())
                .flatMap(models -> models)
                .distinct()
                .toList();
    }

    private List<String> optionValues(String option) {
        String list = options.getOrDefault(option, "");
        return list.isBlank() ? List.of() : List.of(list.strip().split("\\s*,\\s*"));
    }

    /** The model that transcribes audio, {@code provider/model}; empty if none is configured. */
    public Optional<String> transcriber() {
        return Optional.ofNullable(options.get(TRANSCRIBER)).filter(name -> !name.isBlank());
    }

    /**
     * The agent's own bank in a project.
     *
     * @param user the user of a per-user bank, or null if the bank is for all users
     */
    public BankRef bank(UUID host, String project, @Nullable String user) {
        return new BankRef(host, project, name, id, user, null);
    }

    /** The scopes of the agent's banks, the one that it retains to first; empty if the agent has no memory. */
    public List<BankScope> memory() {
        return optionValues(MEMORY).stream()
                .flatMap(name -> Coded.of(BankScope.class, name).stream())
                .distinct()
                .toList();
    }

    /** Whether the agent may call tools. */
    public boolean usesTools() {
        return !toolChoice().equals(ToolChoice.NONE);
    }

    /** The tool choice of a turn's first model call. */
    public ToolChoice toolChoice() {
        return ToolChoice.of(options.get(TOOL_CHOICE));
    }

    /** Whether the model may request several tool calls at once. */
    public boolean callsInParallel() {
        return !"false".equals(options.get(Settings.PARALLEL_CALLS));
    }

    /** The skills loaded at the start of a turn. */
    public List<String> firstSkills() {
        return optionValues(Settings.SKILLS);
    }

    /**
     * The limit of a turn set by this option; empty if there is none.
     *
     * @param option one of {@link Settings#BOUNDS}
     */
    public OptionalLong bound(String option) {
        String value = options.get(option);
        return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }

    /** Whether tool calls may wait for approval; otherwise calls that need approval are denied. */
    public boolean asksPeople() {
        return !NONE.equals(options.get(Settings.APPROVALS));
    }

    /** Retention period of memories; empty for no limit. */
    public Optional<Duration> memoryDays() {
        return Optional.ofNullable(options.get(MEMORY_DAYS))
                .flatMap(Agent::days)
                .map(Duration::ofDays);
    }

    private static Optional<Integer> days(String text) {
        return text.matches("[1-9][0-9]{0,4}")
                ? Optional.of(Integer.valueOf(text)).filter(days -> days <= MAX_DAYS)
                : Optional.empty();
    }

    @Override
    public List<Fault> faults(Set<String> given) {
        var faults = new ArrayList<Fault>();
        String days = options.get(MEMORY_DAYS);
        String model = options.getOrDefault(MEMORY_MODEL, RULES);
        if (!optionValues(MEMORY).stream()
                .allMatch(scope -> Coded.of(BankScope.class, scope).isPresent())) {
            String scopes =
                    Arrays.stream(BankScope.values()).map(BankScope::code).collect(Collectors.joining(", "));
            faults.add(new Fault("options." + MEMORY, "is one of %s, or several with commas".formatted(scopes)));
        }
        if (days != null && days(days).isEmpty()) {
            faults.add(new Fault("options." + MEMORY_DAYS, "is a number of days from 1 to %,d".formatted(MAX_DAYS)));
        }
        if (!model.equals(RULES) && !model.matches("[^/\\s]+/\\S+")) {
            faults.add(new Fault("options." + MEMORY_MODEL, "is provider/model, or rules"));
        }
        return faults;
    }

    /** This agent as configured for fact extraction; empty if rules extract facts. */
    public Optional<Agent> memoryReader() {
        String model =
                options.getOrDefault(MEMORY_MODEL, provider.equals(SCRIPTED) ? RULES : provider + "/" + this.model);
        return model.equals(RULES)
                ? Optional.empty()
                : Optional.of(instead(model).forMemory(""));
    }

    /** This agent with a turn's settings applied. A model that the agent does not let users choose is ignored. */
    public Agent with(@Nullable Settings settings) {
        if (settings == null) {
            return this;
        }
        String chosen = settings.model();
        Agent base = chosen == null || !models().contains(chosen) ? this : instead(chosen);
        var merged = new TreeMap<>(base.options);
        merged.putAll(settings.options());
        return base.with()
                .temperature(settings.temperature() == null ? temperature : settings.temperature())
                .topP(settings.topP() == null ? topP : settings.topP())
                .maxTokens(lowerLimit(maxTokens, settings.maxTokens()))
                .thinking(settings.thinking() == null ? thinking : settings.thinking())
                .options(merged)
                .build();
    }

    private static @Nullable Integer lowerLimit(@Nullable Integer first, @Nullable Integer second) {
        return first == null ? second : second == null ? first : Integer.valueOf(Math.min(first, second));
    }

    /**
     * This agent with another model. For another provider, the API key and the provider-specific options are removed.
     */
    public Agent instead(String providerAndModel) {
        int slash = providerAndModel.indexOf('/');
        String other = providerAndModel.substring(0, slash);
        var retained = new TreeMap<>(options);
        boolean isSameProvider = other.equals(provider);
        if (!isSameProvider) {
            retained.keySet().removeAll(BOUND);
        }
        return with().provider(other)
                .model(providerAndModel.substring(slash + 1))
                .apiKeyRef(isSameProvider ? apiKeyRef : null)
                .options(retained)
                .build();
    }

    /** This agent as configured for summaries: without thinking, and not cut off. */
    public Agent forSummaries() {
        return with().maxTokens(null).thinking(ThinkingLevel.NONE).build();
    }

    /** This agent with additional instructions. */
    public Agent withAddedInstructions(String instructions) {
        return withPrompt(
                prompt.isEmpty() || instructions.isEmpty() ? prompt + instructions : prompt + "\n\n" + instructions);
    }

    /** This agent as configured for memory operations: only this prompt, and without thinking. */
    public Agent forMemory(String memoryPrompt) {
        var retained = new TreeMap<>(options);
        retained.keySet().retainAll(Set.of(FALLBACK)); // no option that would send the content elsewhere
        return forSummaries().with().prompt(memoryPrompt).options(retained).build();
    }

    /** This agent with the version derived from its content. */
    public Agent withContentVersion() {
        return withVersion(Ids.of("agent", withVersion("")).toString().substring(0, 13));
    }

    /** This agent without an API key of its own, with the resulting version. */
    public Agent withoutKey() {
        return withApiKeyRef(null).withContentVersion();
    }

    /** A primary agent with default limits. */
    public static Agent of(String name, String provider, String model, String prompt) {
        return AgentBuilder.builder()
                .name(name)
                .version("")
                .description("")
                .mode(AgentMode.ALL)
                .provider(provider)
                .model(model)
                .prompt(prompt)
                .tools(List.of())
                .skills(List.of())
                .thinking(ThinkingLevel.NONE)
                .limits(Limits.DEFAULT)
                .options(Map.of())
                .guardrails(List.of())
                .metadata(Map.of())
                .build()
                .withContentVersion();
    }

    /**
     * Limits of a turn and a session.
     *
     * @param maxSteps maximum model calls of one turn; the last one is made without tools
     * @param turnTimeout from the turn's start to its end
     * @param modelAttempts maximum attempts of one model call
     * @param sessionTokens maximum tokens of a session, or null
     * @param sessionCostNanos maximum cost of a session in billionths of a dollar, or null
     * @param compactAt number of turns in the context that triggers compaction of older ones into a summary
     * @param keep number of recent turns that a compaction leaves unchanged
     * @param maxQueued maximum queued messages
     * @param skillTokens approximate tokens for skill descriptions in a request, and the same again for the texts of
     *     loaded skills
     */
    public record Limits(
            @Field(min = 1, max = 1_000) int maxSteps,

            @Field(max = 24 * 3_600, problem = "must be a duration such as 90s or 30m, at most 24h")
            Duration turnTimeout,

            @Field(min = 1, max = 100) int modelAttempts,
            @Field(min = 1) @Nullable Long sessionTokens,

            @Field(name = "sessionCost", form = Form.DOLLARS, max = 1_000_000) @Nullable
            Long sessionCostNanos,

            @Field(min = 1, max = 10_000) int compactAt,
            @Field(min = 1, max = 10_000) int keep,
            @Field(min = 1, max = 10_000) int maxQueued,
            @Field(min = 1, max = 1_000_000) int skillTokens) {
        /** The default of {@code skillTokens}. */
        public static final int SKILL_TOKENS = 8_000;

        public static final Limits DEFAULT =
                new Limits(20, Duration.ofMinutes(30), 5, null, null, 40, 10, 50, SKILL_TOKENS);

        public Limits {
            if (maxSteps < 1 || modelAttempts < 1 || keep < 1 || maxQueued < 1 || skillTokens < 1) {
                throw new IllegalArgumentException(
                        "limits need maxSteps, modelAttempts, keep, maxQueued and skillTokens of at least 1");
            }
            if (compactAt <= keep) {
                throw new FaultException("compactAt", "must be above limits.keep, which is " + keep);
            }
        }
    }
}
