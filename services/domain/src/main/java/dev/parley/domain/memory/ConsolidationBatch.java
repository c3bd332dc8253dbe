package dev.parley.domain.memory;

import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankView.Neighbour;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.consolidate.ModelConsolidation;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The next consolidation request.
 *
 * @param fresh the facts to consolidate
 * @param known related facts
 * @param shown related observations
 */
record NextFacts(List<UnitLearned> fresh, List<UnitLearned> known, List<UnitLearned> shown) {
    /** Maximum facts to consolidate; the rest of {@link ModelConsolidation#MAX_FACTS} are related ones. */
    private static final int FRESH = 5;

    /** Minimum cosine of related units. */
    private static final double NEAR = 0.5;

    private static final int NEAREST = 5;
    private static final int MAX_SHOWN = 20;

    /** Takes the first facts from a list; empty if nothing can be consolidated with them. */
    static Optional<NextFacts> take(Consolidating consolidating, MemoryDraft draft, List<UUID> left) {
        List<UnitLearned> fresh = fresh(consolidating, draft, left);
        if (fresh.isEmpty()) {
            return Optional.empty();
        }
        List<UnitLearned> known = known(consolidating, draft, fresh);
        List<UnitLearned> shown = shown(consolidating, draft, fresh);
        List<UnitLearned> all =
                Stream.of(fresh, known, shown).flatMap(List::stream).toList();
        List<UnitLearned> accompanied =
                fresh.stream().filter(fact -> hasCompany(fact, all)).toList();
        return accompanied.isEmpty() ? Optional.empty() : Optional.of(new NextFacts(accompanied, known, shown));
    }

    /** The first fact, and a few others visible to the same people; empty if it is to be skipped. */
    private static List<UnitLearned> fresh(Consolidating consolidating, MemoryDraft draft, List<UUID> left) {
        List<UUID> gone = left.stream()
                .filter(id -> !ConsolidationQuestion.isAlone(draft, id))
                .toList();
        left.removeAll(gone);
        if (left.isEmpty()) {
            return List.of();
        }
        Unit first = consolidating.unit(left.getFirst()).unit();
        List<UnitLearned> fresh = left.stream()
                .map(consolidating::unit)
                .filter(event -> event.unit().type() == first.type() && Consolidating.isComparable(event.unit(), first))
                .limit(FRESH)
                .toList();
        left.removeFirst();
        left.removeAll(fresh.stream().map(event -> event.unit().id()).toList());
        return fresh;
    }

    /** Whether anything else to be shown is related to a fact. */
    private static boolean hasCompany(UnitLearned fact, List<UnitLearned> all) {
        return all.stream().anyMatch(other -> other != fact && isNear(fact.unit(), other.unit()));
    }

    private static List<UnitLearned> known(Consolidating consolidating, MemoryDraft draft, List<UnitLearned> fresh) {
        Unit first = fresh.getFirst().unit();
        return near(draft, fresh, first.type())
                .filter(id -> ConsolidationQuestion.isAlone(draft, id)
                        && fresh.stream().noneMatch(event -> event.unit().id().equals(id)))
                .map(consolidating::unit)
                .filter(event -> event.unit().provenance() != null && Consolidating.isComparable(event.unit(), first))
                .limit(ModelConsolidation.MAX_FACTS - fresh.size())
                .toList();
    }

    private static List<UnitLearned> shown(Consolidating consolidating, MemoryDraft draft, List<UnitLearned> fresh) {
        return near(draft, fresh, FactType.OBSERVATION)
                .flatMap(id -> consolidating.observation(id, fresh.getFirst().unit()))
                .limit(MAX_SHOWN)
                .toList();
    }

    /** Units near any of the facts, nearest first. */
    private static Stream<UUID> near(MemoryDraft draft, List<UnitLearned> facts, FactType type) {
        Map<UUID, Double> near = new LinkedHashMap<>();
        for (UnitLearned fact : facts) {
            Unit unit = fact.unit();
            draft.view()
                    .neighbours()
                    .nearest(
                            Objects.requireNonNull(unit.vector()),
                            Objects.requireNonNull(unit.generation()),
                            type,
                            NEAR,
                            NEAREST + facts.size())
                    .forEach(one -> near.merge(one.unit(), one.cosine(), Math::max));
        }
        return near.entrySet().stream()
                .map(entry -> new Neighbour(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingDouble(Neighbour::cosine).reversed().thenComparing(Neighbour::unit))
                .map(Neighbour::unit);
    }

    /** Whether two units are related, by their vectors. */
    static boolean isNear(Unit one, Unit other) {
        Vector vector = one.vector();
        Vector others = other.vector();
        return vector != null
                && others != null
                && Objects.equals(one.generation(), other.generation())
                && vector.cosine(others) >= NEAR;
    }
}
