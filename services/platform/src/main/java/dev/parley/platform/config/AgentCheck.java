package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.document.Fault;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Validates an agent against the configured providers. */
public final class AgentCheck {
    /** Allowed {@code options} of agents, for all providers: a fallback may support what the first one does not. */
    private static final SortedSet<String> OPTIONS = new TreeSet<>(List.of(
            Agent.FALLBACK,
            Agent.MODELS,
            Agent.TRANSCRIBER,
            Agent.MEMORY,
            Agent.MEMORY_MODEL,
            Agent.MEMORY_DAYS,
            "responseSchema",
            "hostedTools",
            "stop",
            "verbosity",
            "serviceTier",
            "reasoningSummary",
            "parallelToolCalls"));

    private static final String SCRIPTED = "scripted";

    private AgentCheck() {}

    /** The fields of an agent that do not fit the providers; the problems can also follow the agent's name. */
    public static List<Fault> faults(Agent agent, Collection<ProviderConfig> providers) {
        return Stream.of(
                        provider(agent, providers),
                        models(
                                "offers",
                                agent.models().subList(1, agent.models().size()),
                                providers,
                                _ -> true),
                        models(
                                "listens with",
                                agent.transcriber().stream().toList(),
                                providers,
                                ProviderConfig::listens),
                        models("remembers with", memoryModels(agent), providers, _ -> true),
                        memory(agent),
                        options(agent))
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * The error of an invalid {@code provider/model}, as the rest of a sentence that begins with it; empty if valid.
     */
    public static Optional<String> model(String model, Collection<ProviderConfig> providers) {
        return offers(providers, model, _ -> true)
                ? Optional.empty()
                : Optional.of("is not a provider/model; there are " + names(providers, _ -> true));
    }

    private static Optional<Fault> provider(Agent agent, Collection<ProviderConfig> providers) {
        return knows(providers, agent.provider(), _ -> true)
                ? Optional.empty()
                : Optional.of(new Fault(
                        "model",
                        "needs the provider '%s'; there are %s"
                                .formatted(agent.provider(), names(providers, _ -> true))));
    }

    private static boolean offers(
            Collection<ProviderConfig> providers, String model, Predicate<ProviderConfig> capable) {
        int slash = model.indexOf('/');
        return slash > 0 && slash < model.length() - 1 && knows(providers, model.substring(0, slash), capable);
    }

    private static boolean knows(Collection<ProviderConfig> providers, String name, Predicate<ProviderConfig> capable) {
        return name.equals(SCRIPTED)
                || providers.stream()
                        .filter(capable)
                        .anyMatch(provider -> provider.name().equals(name));
    }

    private static String names(Collection<ProviderConfig> providers, Predicate<ProviderConfig> capable) {
        return Stream.concat(
                        Stream.of(SCRIPTED), providers.stream().filter(capable).map(ProviderConfig::name))
                .collect(Collectors.joining(", "));
    }

    private static Optional<Fault> models(
            String verb, List<String> models, Collection<ProviderConfig> providers, Predicate<ProviderConfig> capable) {
        return models.stream()
                .filter(model -> !offers(providers, model, capable))
                .findFirst()
                .map(model -> new Fault(
                        "options",
                        "%s '%s', which is not a provider/model; there are %s"
                                .formatted(verb, model, names(providers, capable))));
    }

    private static List<String> memoryModels(Agent agent) {
        String model = agent.options().getOrDefault(Agent.MEMORY_MODEL, Agent.RULES);
        return model.equals(Agent.RULES) ? List.of() : List.of(model);
    }

    private static Optional<Fault> memory(Agent agent) {
        String memory = agent.options().getOrDefault(Agent.MEMORY, "");
        long count = memory.isBlank() ? 0 : memory.strip().split("\\s*,\\s*").length;
        return count == agent.memory().size()
                ? Optional.empty()
                : Optional.of(new Fault(
                        "options",
                        "has the memory '%s'; it is one or more of user, user_agent, agent and host, each once, with commas between"
                                .formatted(memory)));
    }

    private static Optional<Fault> options(Agent agent) {
        return agent.options().keySet().stream()
                .filter(option -> !OPTIONS.contains(option))
                .findFirst()
                .map(option -> new Fault(
                        "options",
                        "has an unknown option '%s'; there are %s".formatted(option, String.join(", ", OPTIONS))));
    }
}
