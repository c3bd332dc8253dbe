package dev.parley.domain.definition;

import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.BankScope;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A persona with a model, tools and limits.
 *
 * @param id of an agent of a project or a host, from its definition to its deletion: another one of the same name has another one. Null
 *     for one of the installation, which lasts as long as its name
 * @param version changes with every change of the definition; a turn keeps the version it started with
 * @param tools names of the tools it may use; empty means all
 * @param skills that it can load, in the order in which it is told of them
 * @param maxTokens most tokens of one answer, or null for the provider's default
 * @param limits what bounds a turn and a session
 * @param options passed through to the provider
 * @param guardrails what looks at what comes in and at what its model says, in this order
 */
@RecordBuilder
public record Agent(
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
        List<Guardrail> guardrails)
        implements Definition, AgentBuilder.With {

    /** The agent that answers when nothing is configured. */
    public static final String DEFAULT = "default";

    /** The option that names other models for the case that its own cannot answer, separated by commas. */
    public static final String FALLBACK = "fallback";

    /** The option that names the models that people may choose besides its own, separated by commas. */
    public static final String MODELS = "models";

    /** The option that names the model that writes down what people say aloud, {@code provider/model}. */
    public static final String TRANSCRIBER = "transcriber";

    /** Characters of the longest text that guardrails look at; of a longer one they cannot say anything. */
    public static final int MAX_GUARDED_LENGTH = 100_000;

    /**
     * The option that says which banks of memory it has: {@code user}, {@code user_agent}, {@code agent} and {@code host}, separated
     * by commas. It is told what is in all of them, and what is said is remembered in the first.
     */
    public static final String MEMORY = "memory";

    /** The option that names the model that finds what is worth remembering, {@code provider/model}; or {@code rules} for none. */
    public static final String MEMORY_MODEL = "memoryModel";

    /** The option that says after how many days what was said in a turn is forgotten again, with what was made of it. */
    public static final String MEMORY_DAYS = "memoryDays";

    /** The option that says what a turn does with tools, as {@link ToolChoice} reads it. */
    public static final String TOOL_CHOICE = "toolChoice";

    /** What an option says that switches something off. */
    public static final String NONE = "none";

    private static final int MAX_DAYS = 36_500;

    /** Options that mean something to one provider only. */
    private static final Set<String> BOUND = Set.of("hostedTools", "serviceTier", "verbosity", "reasoningSummary");

    /** The provider that is no language model: nothing is extracted by it. */
    private static final String SCRIPTED = "scripted";

    /** Says that no model is asked what is worth remembering. */
    public static final String RULES = "rules";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,126}");

    public Agent {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "an agent's name is 1 to 126 letters, digits, '_', '.' or '-', not '" + name + "'");
        }
        tools = List.copyOf(tools);
        skills = List.copyOf(skills);
        guardrails = List.copyOf(guardrails);
        options = Collections.unmodifiableMap(
                new TreeMap<>(options)); // in one order everywhere: the version depends on it
    }

    /** This agent as the one that is defined under this id, and the version that this gives it. */
    public Agent defined(@Nullable UUID as) {
        return withId(as).versioned();
    }

    /** Whether people may talk to it. */
    public boolean isPrimary() {
        return mode != AgentMode.SUBAGENT;
    }

    /** Whether other agents may delegate to it. */
    public boolean isDelegable() {
        return mode != AgentMode.PRIMARY;
    }

    /** Whether it may use this tool. */
    public boolean mayUse(String tool) {
        return tools.isEmpty() || tools.contains(tool);
    }

    /** Those of its guardrails that look at this. */
    public List<Guardrail> guardrails(GuardrailStage stage) {
        return guardrails.stream().filter(rail -> rail.on().contains(stage)).toList();
    }

    /** This agent with guardrails that go before its own, and the version that this gives it. */
    public Agent guarded(List<Guardrail> first) {
        return withGuardrails(Stream.concat(first.stream(), guardrails.stream()).toList())
                .versioned();
    }

    /** The models that are asked, in this order, when its own cannot answer: {@code provider/model}. */
    public List<String> fallbacks() {
        return listed(FALLBACK);
    }

    /** The models that people may choose from, its own first: {@code provider/model}. */
    public List<String> models() {
        return Stream.of(Stream.of(provider + "/" + model), listed(MODELS).stream(), fallbacks().stream())
                .flatMap(models -> models)
                .distinct()
                .toList();
    }

    private List<String> listed(String option) {
        return listed(options, option);
    }

    private static List<String> listed(Map<String, String> options, String option) {
        String list = options.getOrDefault(option, "");
        return list.isBlank() ? List.of() : List.of(list.strip().split("\\s*,\\s*"));
    }

    /** The model that writes down what people say aloud, {@code provider/model}, where there is one. */
    public Optional<String> transcriber() {
        return Optional.ofNullable(options.get(TRANSCRIBER)).filter(name -> !name.isBlank());
    }

    /** Its bank in a project. @param user whose it is with the agent, or null where it is for all */
    public BankRef bank(UUID host, String project, @Nullable String user) {
        return new BankRef(host, project, name, id, user, null);
    }

    /** The banks that it has, the one first in which it remembers what is said; none where it has no memory. */
    public List<BankScope> memory() {
        return listed(MEMORY).stream()
                .flatMap(name -> Coded.of(BankScope.class, name).stream())
                .distinct()
                .toList();
    }

    /** Whether it may call tools. */
    public boolean usesTools() {
        return !toolChoice().equals(ToolChoice.NONE);
    }

    /** What its model is to do with tools in the first model call of a turn. */
    public ToolChoice toolChoice() {
        return ToolChoice.of(options.get(TOOL_CHOICE));
    }

    /** Whether its model may make several tool calls at once. */
    public boolean callsInParallel() {
        return !"false".equals(options.get(Settings.PARALLEL_CALLS));
    }

    /** The skills that are loaded when a turn begins. */
    public List<String> firstSkills() {
        return listed(Settings.SKILLS);
    }

    /** What bounds a turn by this option; empty where nothing does. @param option one of {@link Settings#BOUNDS} */
    public OptionalLong bound(String option) {
        String most = options.get(option);
        return most == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(most));
    }

    /** Whether people are asked about its tools; what would be asked is refused otherwise. */
    public boolean asksPeople() {
        return !NONE.equals(options.get(Settings.APPROVALS));
    }

    /** How long what is said is remembered; empty for ever. */
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

    /** What is wrong with what it is to remember, as the name of an option and a sentence about it; empty where nothing is. */
    public static Optional<Map.Entry<String, String>> wrongMemory(Map<String, String> options) {
        List<String> scopes = listed(options, MEMORY);
        String days = options.get(MEMORY_DAYS);
        String model = options.getOrDefault(MEMORY_MODEL, RULES);
        if (!scopes.stream().allMatch(scope -> Coded.of(BankScope.class, scope).isPresent())) {
            return Optional.of(Map.entry(
                    MEMORY,
                    "is one of %s, or several with commas"
                            .formatted(Arrays.stream(BankScope.values())
                                    .map(BankScope::code)
                                    .collect(Collectors.joining(", ")))));
        }
        if (days != null && days(days).isEmpty()) {
            return Optional.of(Map.entry(MEMORY_DAYS, "is a number of days from 1 to %,d".formatted(MAX_DAYS)));
        }
        if (!model.equals(RULES) && !model.matches("[^/\\s]+/\\S+")) {
            return Optional.of(Map.entry(MEMORY_MODEL, "is provider/model, or rules"));
        }
        return Optional.empty();
    }

    /** This agent as it finds what is worth remembering; empty where rules do. */
    public Optional<Agent> memoryReader() {
        String model =
                options.getOrDefault(MEMORY_MODEL, provider.equals(SCRIPTED) ? RULES : provider + "/" + this.model);
        return model.equals(RULES)
                ? Optional.empty()
                : Optional.of(instead(model).forMemory(""));
    }

    /** This agent as a turn with these settings wants it. A model that it does not let people choose changes nothing. */
    public Agent with(@Nullable Settings settings) {
        if (settings == null) {
            return this;
        }
        String chosen = settings.model();
        Agent base = chosen == null || !models().contains(chosen) ? this : instead(chosen);
        var all = new TreeMap<>(base.options);
        all.putAll(settings.options());
        return base.with()
                .temperature(settings.temperature() == null ? temperature : settings.temperature())
                .topP(settings.topP() == null ? topP : settings.topP())
                .maxTokens(least(maxTokens, settings.maxTokens()))
                .thinking(settings.thinking() == null ? thinking : settings.thinking())
                .options(all)
                .build();
    }

    private static @Nullable Integer least(@Nullable Integer one, @Nullable Integer other) {
        return one == null ? other : other == null ? one : Integer.valueOf(Math.min(one, other));
    }

    /**
     * This agent with another model. Another provider gets neither the key that pays for its own nor the options that only
     * that knows.
     */
    public Agent instead(String providerAndModel) {
        int slash = providerAndModel.indexOf('/');
        String other = providerAndModel.substring(0, slash);
        var kept = new TreeMap<>(options);
        boolean same = other.equals(provider);
        if (!same) {
            kept.keySet().removeAll(BOUND);
        }
        return with().provider(other)
                .model(providerAndModel.substring(slash + 1))
                .apiKeyRef(same ? apiKeyRef : null)
                .options(kept)
                .build();
    }

    /** This agent as it writes summaries: at once, and to the end. */
    public Agent forSummaries() {
        return with().maxTokens(null).thinking(ThinkingLevel.NONE).build();
    }

    /** This agent with more to go by. */
    public Agent instructed(String more) {
        return withPrompt(prompt.isEmpty() || more.isEmpty() ? prompt + more : prompt + "\n\n" + more);
    }

    /** This agent as it reads for a bank of memory: told only this, and at once. */
    public Agent forMemory(String told) {
        var kept = new TreeMap<>(options);
        kept.keySet().retainAll(Set.of(FALLBACK)); // nothing that would carry what is read elsewhere
        return forSummaries().with().prompt(told).options(kept).build();
    }

    /** This agent with the version that its content has. */
    public Agent versioned() {
        return withVersion(Ids.of("agent", withVersion("")).toString().substring(0, 13));
    }

    /** The same without a key of its own, in its own version. */
    public Agent withoutKey() {
        return withApiKeyRef(null).versioned();
    }

    /** A primary agent with default limits, for a provider and model. */
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
                .build()
                .versioned();
    }

    /**
     * What bounds a turn and a session.
     *
     * @param maxSteps model calls of one turn; the last one is made without tools
     * @param turnTimeout from the turn's start to its end
     * @param modelAttempts how often one model call is tried
     * @param sessionTokens most tokens that a session may use, or null
     * @param sessionCostNanos most billionths of a dollar that a session may cost, or null
     * @param compactAt turns in the context at which older ones are replaced by a summary
     * @param keep turns that a compaction leaves as they are
     * @param maxQueued messages that may wait for their turn
     * @param skillTokens about how many tokens the descriptions of skills may take in a request, and as many the texts of those
     *     that are loaded
     */
    public record Limits(
            int maxSteps,
            Duration turnTimeout,
            int modelAttempts,
            @Nullable Long sessionTokens,
            @Nullable Long sessionCostNanos,
            int compactAt,
            int keep,
            int maxQueued,
            int skillTokens) {
        /** The usual room for skills. */
        public static final int SKILL_TOKENS = 8_000;

        public static final Limits DEFAULT =
                new Limits(20, Duration.ofMinutes(30), 5, null, null, 40, 10, 50, SKILL_TOKENS);

        public Limits {
            if (maxSteps < 1
                    || modelAttempts < 1
                    || keep < 1
                    || compactAt <= keep
                    || maxQueued < 1
                    || skillTokens < 1) {
                throw new IllegalArgumentException(
                        "limits need maxSteps, modelAttempts, keep, maxQueued and skillTokens of at least 1, and compactAt above keep");
            }
        }
    }
}
