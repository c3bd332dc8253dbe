package dev.parley.domain.memory.consolidate;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.prompt.JsonAnswer;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.memory.prompt.PromptDelimiter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Consolidation by a model: the prompt, and validation of the answer. Facts and observations are numbered within one
 * request, so the model can neither change what it was not shown nor cite facts that do not exist. Invalid changes are
 * dropped and counted; their facts are kept. The model gives no reasons, as they could contain text that is erased
 * later.
 */
public final class ModelConsolidation {
    /** Maximum facts of a request: more degrade the answers. */
    public static final int MAX_FACTS = 8;

    /** Maximum characters of an observation. */
    public static final int MAX_LENGTH = 1_000;

    private static final String TASK = """
            You keep the observations of a memory: sentences that say what several facts say together. You are given new facts (f0, f1, …) and the
            observations near them (o0, o1, …), each with the time at which it was last said.

            - Rather update an observation than create another that says nearly the same. One observation is about one side of one person or thing:
              put together what is about the same, not what has the same topic.
            - When something changed, write how it is now, and since when and what it was before in half a sentence; set "contradicts" to true, and
              change what else in the observation follows from it. The newest fact is right. Where two facts of the same time differ, say both.
            - Write names and dates out. Use only what the facts say: do not calculate, do not conclude, do not generalise.
            - Keep the language of the facts.
            - Delete only what facts show to be wrong and what no update could make right: that is rare.
            - A fact that is trivial, or fits nothing, you leave out: it stays as it is.

            Answer with one JSON object and nothing else:
            {"create": [{"text": "…", "facts": ["f0", "f1"]}],
             "update": [{"observation": "o0", "text": "…", "facts": ["f1"], "contradicts": false}],
             "delete": [{"observation": "o1"}]}
            """;

    /** Version of the prompt, stored with each change: changes with every character of the instructions. */
    public static final String VERSION =
            "model-" + Ids.of(TASK, PromptDelimiter.RULE).toString().substring(0, 8);

    /** The result of parsing an answer. */
    public sealed interface Read {
        /**
         * A usable answer.
         *
         * @param changes deletions, updates, creations and kept facts, in this order
         * @param dropped number of invalid changes
         */
        record Changes(List<Change> changes, int dropped) implements Read {
            public Changes {
                changes = List.copyOf(changes);
            }
        }

        /**
         * An unusable answer.
         *
         * @param reason a sentence
         */
        record Unusable(String reason) implements Read {}
    }

    private final Map<String, FactSource> facts = new HashMap<>();
    private final Map<String, Observation> shown = new HashMap<>();
    private final Set<String> texts = new HashSet<>();
    private final Set<String> changed = new HashSet<>();
    private final Set<String> used = new HashSet<>();
    private int dropped;

    private ModelConsolidation(List<FactSource> facts, List<Observation> shown) {
        for (int i = 0; i < facts.size(); i++) {
            this.facts.put("f" + i, facts.get(i));
        }
        for (int i = 0; i < shown.size(); i++) {
            this.shown.put("o" + i, shown.get(i));
            texts.add(key(shown.get(i).text()));
        }
    }

    /**
     * The prompt.
     *
     * @param facts to consolidate, all visible to the same people
     * @param observations related observations, visible to the same people
     * @param mission purpose of the bank, written by its administrator, or null
     * @throws IllegalArgumentException for more than {@link #MAX_FACTS} facts
     */
    public static Prompt prompt(List<FactSource> facts, List<Observation> observations, @Nullable String mission) {
        if (facts.size() > MAX_FACTS) {
            throw new IllegalArgumentException(
                    facts.size() + " facts are too many for one question: ask about " + MAX_FACTS + " at a time");
        }
        var data = new StringBuilder();
        for (int i = 0; i < observations.size(); i++) {
            line(data, "o" + i, observations.get(i).at(), observations.get(i).text());
        }
        for (int i = 0; i < facts.size(); i++) {
            line(data, "f" + i, facts.get(i).at(), facts.get(i).text());
        }
        return new Prompt(Prompt.system(TASK, mission), PromptDelimiter.around("memory", data.toString()));
    }

    private static void line(StringBuilder data, String name, Instant time, String text) {
        data.append(name)
                .append(" (")
                .append(time)
                .append(") ")
                .append(text.replaceAll("\\s+", " "))
                .append('\n');
    }

    /**
     * Parses and validates an answer.
     *
     * @param facts as in the prompt
     * @param observations as in the prompt
     */
    public static Read parse(String answer, List<FactSource> facts, List<Observation> observations) {
        JsonAnswer read;
        try {
            read = JsonAnswer.read(answer);
        } catch (IllegalArgumentException e) {
            return new Read.Unusable(String.valueOf(e.getMessage()));
        }
        if (Stream.of("create", "update", "delete").noneMatch(read::has)) {
            return new Read.Unusable("the answer has no list \"create\", \"update\" or \"delete\"");
        }
        var consolidation = new ModelConsolidation(facts, observations);
        var updates = consolidation.read(read.items("update"), consolidation::update);
        var deletes = consolidation.read(read.items("delete"), consolidation::delete);
        var creates = consolidation.read(read.items("create"), consolidation::create);
        Stream<Change> keeps = facts.stream()
                .filter(fact -> !consolidation.used.contains(fact.id()))
                .map(fact -> new Change.Keep(fact.id()));
        List<Change> changes = Stream.concat(
                        Stream.of(deletes, updates, creates).flatMap(List::stream), keeps)
                .toList();
        return new Read.Changes(changes, consolidation.dropped);
    }

    private interface Rule {
        Optional<Change> read(JsonAnswer item);
    }

    private List<Change> read(List<?> items, Rule rule) {
        var changes = new ArrayList<Change>();
        for (Object item : items) {
            Optional<Change> change = item instanceof JsonAnswer answer ? rule.read(answer) : Optional.empty();
            change.ifPresentOrElse(changes::add, () -> dropped++);
        }
        return changes;
    }

    private Optional<Change> update(JsonAnswer item) {
        Observation observation = shown.get(item.text("observation").orElse(""));
        List<FactSource> sources = sources(item);
        Optional<String> text = item.text("text").filter(value -> value.length() <= MAX_LENGTH);
        if (observation == null || sources.isEmpty() || text.isEmpty() || !changed.add(observation.id())) {
            return Optional.empty();
        }
        texts.add(key(text.get()));
        sources.forEach(source -> used.add(source.id()));
        return Optional.of(updateOf(observation, text.get(), sources, item.flag("contradicts")));
    }

    private static Change.Update updateOf(
            Observation observation, String text, List<FactSource> sources, boolean contradicts) {
        List<String> outdated = contradicts ? observation.sources() : List.of();
        Set<String> allSources = new LinkedHashSet<>(contradicts ? List.of() : observation.sources());
        sources.forEach(source -> allSources.add(source.id()));
        Instant since = newest(sources);
        return new Change.Update(
                observation.id(),
                text,
                List.copyOf(allSources),
                outdated.stream().filter(source -> !allSources.contains(source)).toList(),
                contradicts ? "newer facts contradict it" : "more facts say it",
                contradicts,
                since.isAfter(observation.at()) ? since : observation.at());
    }

    private Optional<Change> delete(JsonAnswer item) {
        Observation observation = shown.get(item.text("observation").orElse(""));
        return observation == null || !changed.add(observation.id())
                ? Optional.empty()
                : Optional.of(new Change.Delete(observation.id(), "facts show that it is wrong"));
    }

    private Optional<Change> create(JsonAnswer item) {
        Optional<String> text = item.text("text").filter(value -> value.length() <= MAX_LENGTH);
        if (text.isEmpty() || texts.contains(key(text.get()))) {
            return Optional.empty();
        }
        List<FactSource> sources = sources(item);
        if (sources.isEmpty()) {
            return Optional.empty();
        }
        texts.add(key(text.get()));
        sources.forEach(source -> used.add(source.id()));
        return Optional.of(new Change.Create(
                text.get(), sources.stream().map(FactSource::id).toList(), List.of(), newest(sources)));
    }

    /** The cited facts of a change; at least one, all existing. */
    private List<FactSource> sources(JsonAnswer item) {
        List<FactSource> sources = item.texts("facts").stream()
                .map(facts::get)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        boolean allExist = item.items("facts").stream()
                .allMatch(name -> name instanceof String text && facts.containsKey(text.strip()));
        return allExist ? sources : List.of();
    }

    private static Instant newest(Collection<FactSource> sources) {
        return sources.stream().map(FactSource::at).max(Instant::compareTo).orElseThrow();
    }

    private static String key(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").strip();
    }
}
