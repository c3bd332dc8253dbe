package dev.parley.domain.memory.consolidate;

import dev.parley.language.text.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Consolidation by rules. Facts that say the same become one observation, with the text of the most informative, newest
 * one. A newer fact that contradicts supersedes the older ones, whose validity ends then.
 *
 * <p>Two texts say the same if their vectors are near, their entities are the same, and neither numbers, negation nor
 * the value of a single-valued attribute differ. The rules prefer keeping duplicates to joining different facts.
 *
 * <p>Pure; independent of the order of facts. Compares each fact with each group: the caller passes related facts only,
 * a few hundred at most.
 */
public final class Consolidation {
    /** Version of the rules, stored with each change. */
    public static final String VERSION = "rules-1";

    /**
     * Minimum cosine for texts about the same entities to say the same. Measured with the bundled sentence model: of 15
     * pairs of paraphrases, vectors and rules together joined 8, and none of 14 that only look similar, some of which
     * have a cosine of 0.95.
     */
    public static final double SAME_COSINE = 0.9;

    /**
     * Minimum cosine for texts on one theme, sufficient if rules find the same value of the same attribute in both.
     */
    public static final double RELATED_COSINE = 0.7;

    /** Minimum cosine for two observations to be duplicates. */
    public static final double DUPLICATE_COSINE = 0.97;

    /** The facts of one future observation, or a single fact. */
    private static final class Group {
        private final @Nullable Observation observation;
        private final List<FactSource> sources = new ArrayList<>();
        private final Set<String> outdated = new HashSet<>();
        private final List<String> before = new ArrayList<>();
        private String text;
        private List<String> entities;
        private Instant at;
        private float[] vector;
        private boolean event;
        private boolean contradicts;
        /** The parsed text, on first use: parsing costs more than comparing vectors. */
        private @Nullable Statement parsed;

        Group(Observation observation) {
            this.observation = observation;
            before.addAll(observation.sources());
            text = observation.text();
            entities = observation.entities();
            at = observation.at();
            vector = observation.vector();
        }

        Group(FactSource source) {
            observation = null;
            text = source.text();
            entities = source.entities();
            at = source.at();
            vector = source.vector();
            event = source.event();
            sources.add(source);
        }

        Statement statement() {
            Statement statement = parsed == null ? Statement.of(text, entities) : parsed;
            parsed = statement;
            return statement;
        }

        void join(FactSource source) {
            sources.add(source);
            Statement other = Statement.of(source.text(), source.entities());
            if (other.words().size() >= statement().words().size()) {
                parsed = other;
                text = source.text();
                vector = source.vector();
            }
            at = source.at().isAfter(at) ? source.at() : at;
        }

        /** A newer fact contradicts the group and takes its place. */
        void supersedeBy(FactSource source) {
            outdated.addAll(before);
            sources.forEach(old -> outdated.add(old.id()));
            before.clear();
            sources.clear();
            sources.add(source);
            contradicts = true;
            parsed = null;
            text = source.text();
            entities = source.entities();
            at = source.at();
            vector = source.vector();
            event = source.event();
        }

        Optional<Change> change() {
            List<String> allSources = new ArrayList<>(before);
            sources.forEach(source -> allSources.add(source.id()));
            List<String> old = outdated.stream().sorted().toList();
            if (observation == null) {
                return Optional.of(
                        allSources.size() == 1 && old.isEmpty()
                                ? new Change.Keep(allSources.getFirst())
                                : new Change.Create(text, allSources, old, at));
            }
            if (sources.isEmpty() && old.isEmpty()) {
                return Optional.empty();
            }
            String reason = contradicts
                    ? "a newer fact contradicts it"
                    : sources.isEmpty() ? "an older fact contradicts it" : "more facts say it";
            return Optional.of(new Change.Update(observation.id(), text, allSources, old, reason, contradicts, at));
        }
    }

    private Consolidation() {}

    /**
     * Consolidates facts that are in no observation.
     *
     * @param facts new ones, and related earlier ones
     * @param observations related observations; facts that are among their sources are skipped
     * @return one change per fact, and per observation that changes
     * @throws IllegalArgumentException for vectors of different dimensions, as of different models
     */
    public static List<Change> byRules(Collection<FactSource> facts, Collection<Observation> observations) {
        var groups = new ArrayList<Group>();
        observations.stream()
                .sorted(Comparator.comparing(Observation::id))
                .map(Group::new)
                .forEach(groups::add);
        Set<String> seen = observations.stream()
                .flatMap(observation -> observation.sources().stream())
                .collect(Collectors.toSet());
        facts.stream()
                .filter(fact -> seen.add(fact.id()))
                .sorted(Comparator.comparing(FactSource::at).thenComparing(FactSource::id))
                .forEach(fact -> assign(fact, groups));
        return groups.stream().flatMap(group -> group.change().stream()).toList();
    }

    /**
     * The single-valued attribute that a plain sentence is about: facts of one theme agree or contradict each other,
     * however different their words are. Empty for all other texts, which rules may misread: those are compared with
     * similar ones only.
     */
    public static Optional<Theme> theme(String text, List<String> entities) {
        if (!Statement.isUnambiguous(text, entities)) {
            return Optional.empty();
        }
        Statement statement = Statement.of(text, entities);
        String attribute = statement.attribute();
        return attribute == null
                        || statement.subject().isEmpty()
                        || statement.past()
                        || statement.negated()
                        || !Statement.isSingle(attribute)
                ? Optional.empty()
                : Optional.of(new Theme(statement.subject(), attribute));
    }

    /**
     * A single-valued attribute of a person or object, such as a home.
     *
     * @param subject in lower case
     * @param attribute name
     */
    public record Theme(String subject, String attribute) {
        /** Whether the subject is the unnamed speaker. */
        public boolean isOfSpeaker() {
            return subject.equals(Statement.SOMEBODY) || subject.startsWith(Statement.SOMEBODY + "'s ");
        }
    }

    /** Adds a fact to the group that says the same, replaces a contradicted group, or starts a group. */
    private static void assign(FactSource fact, List<Group> groups) {
        Statement statement = Statement.of(fact.text(), fact.entities());
        Optional<Group> matching = groups.stream()
                .filter(group -> isSame(fact, statement, group))
                .max(Comparator.comparingDouble(group -> cosine(fact.vector(), group.vector)));
        if (matching.isPresent()) {
            matching.get().join(fact);
            return;
        }
        Optional<Group> other = groups.stream()
                .filter(group -> statement.contradicts(
                        group.statement(), fact.event() || group.event, isAboutTheSame(fact, group)))
                .filter(group -> !fact.at().equals(group.at))
                .findFirst();
        if (other.isEmpty()) {
            groups.add(new Group(fact));
        } else if (fact.at().isAfter(other.get().at)) {
            other.get().supersedeBy(fact);
        } else {
            other.get().outdated.add(fact.id());
        }
    }

    /** Relation between two texts. */
    enum Comparison {
        SAME,
        CONTRARY,
        OTHER
    }

    /** Compares a fact with an opinion, without regard to the speakers. */
    static Comparison compare(FactSource fact, FactSource opinion) {
        Statement factStatement = Statement.of(fact.text(), fact.entities());
        Statement opinionStatement = Statement.of(opinion.text(), opinion.entities());
        double similarity = cosine(fact.vector(), opinion.vector());
        if (similarity < RELATED_COSINE) {
            return Comparison.OTHER;
        }
        if (factStatement.contradicts(
                opinionStatement,
                fact.event() || opinion.event(),
                lower(fact.entities()).equals(lower(opinion.entities())))) {
            return Comparison.CONTRARY;
        }
        return factStatement.statesSameValue(opinionStatement)
                        || (similarity >= SAME_COSINE && factStatement.agrees(opinionStatement))
                ? Comparison.SAME
                : Comparison.OTHER;
    }

    private static boolean isSame(FactSource fact, Statement statement, Group group) {
        double similarity = cosine(fact.vector(), group.vector);
        Statement other = group.statement();
        return isAboutTheSame(fact, group)
                && (similarity >= SAME_COSINE
                        ? statement.agrees(other)
                        : similarity >= RELATED_COSINE && statement.statesSameValue(other));
    }

    private static boolean isAboutTheSame(FactSource fact, Group group) {
        return lower(fact.entities()).equals(lower(group.entities));
    }

    /**
     * An observation with nearly the same text; empty if a number, a negation or an entity differs.
     *
     * @param vector of the text
     */
    public static Optional<Observation> twin(
            String text, List<String> entities, float[] vector, Collection<Observation> candidates) {
        Statement statement = Statement.of(text, entities);
        return candidates.stream()
                .filter(other -> cosine(vector, other.vector()) >= DUPLICATE_COSINE
                        && lower(entities).equals(lower(other.entities()))
                        && statement.agrees(Statement.of(other.text(), other.entities())))
                .max(Comparator.comparingDouble((Observation other) -> cosine(vector, other.vector()))
                        .thenComparing(Observation::id));
    }

    private static Set<String> lower(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    private static double cosine(float[] first, float[] second) {
        if (first.length != second.length) {
            throw new IllegalArgumentException("vectors of " + first.length + " and " + second.length
                    + " numbers cannot be compared: embed both with one model");
        }
        double product = 0;
        double firstSquares = 0;
        double secondSquares = 0;
        for (int i = 0; i < first.length; i++) {
            product += first[i] * second[i];
            firstSquares += first[i] * first[i];
            secondSquares += second[i] * second[i];
        }
        return firstSquares == 0 || secondSquares == 0 ? 0 : product / Math.sqrt(firstSquares * secondSquares);
    }
}
