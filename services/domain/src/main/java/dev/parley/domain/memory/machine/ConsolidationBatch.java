package dev.parley.domain.memory.machine;

import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankView.Neighbour;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.consolidate.ModelConsolidation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The units of the next consolidation request.
 *
 * @param fresh the facts to consolidate
 * @param known related facts
 * @param shown related observations
 */
record ConsolidationBatch(List<UnitLearned> fresh, List<UnitLearned> known, List<UnitLearned> shown) {
    /** Maximum facts to consolidate; the rest of {@link ModelConsolidation#MAX_FACTS} are related ones. */
    private static final int FRESH = 5;

    /** Minimum cosine of related units. */
    private static final double NEAR = 0.5;

    private static final int NEAREST = 5;
    private static final int MAX_SHOWN = 20;

    /** Removes the first facts from a queue; empty if nothing can be consolidated with them. */
    static Optional<ConsolidationBatch> take(Observations observations, MemoryDraft draft, List<UUID> queue) {
        List<UnitLearned> newFacts = newFacts(observations, draft, queue);
        if (newFacts.isEmpty()) {
            return Optional.empty();
        }
        List<UnitLearned> known = knownFacts(observations, draft, newFacts);
        List<UnitLearned> shown = shownObservations(observations, draft, newFacts);
        List<UnitLearned> units =
                Stream.of(newFacts, known, shown).flatMap(List::stream).toList();
        List<UnitLearned> related =
                newFacts.stream().filter(fact -> isRelatedToAny(fact, units)).toList();
        return related.isEmpty() ? Optional.empty() : Optional.of(new ConsolidationBatch(related, known, shown));
    }

    /** The first fact, and a few others visible to the same people; empty if there is none to consolidate. */
    private static List<UnitLearned> newFacts(Observations observations, MemoryDraft draft, List<UUID> queue) {
        queue.removeIf(id -> !ConsolidationInput.isAlone(draft, id));
        if (queue.isEmpty()) {
            return List.of();
        }
        Unit first = observations.unit(queue.getFirst()).unit();
        List<UnitLearned> newFacts = queue.stream()
                .map(observations::unit)
                .filter(event -> event.unit().type() == first.type() && Observations.isComparable(event.unit(), first))
                .limit(FRESH)
                .toList();
        queue.removeFirst();
        queue.removeAll(ConsolidationInput.ids(newFacts));
        return newFacts;
    }

    private static boolean isRelatedToAny(UnitLearned fact, List<UnitLearned> units) {
        return units.stream().anyMatch(other -> other != fact && isNear(fact.unit(), other.unit()));
    }

    private static List<UnitLearned> knownFacts(
            Observations observations, MemoryDraft draft, List<UnitLearned> newFacts) {
        Unit first = newFacts.getFirst().unit();
        List<UUID> ids = ConsolidationInput.ids(newFacts);
        return nearestUnits(draft, newFacts, first.type())
                .filter(id -> ConsolidationInput.isAlone(draft, id) && !ids.contains(id))
                .map(observations::unit)
                .filter(event -> event.unit().provenance() != null && Observations.isComparable(event.unit(), first))
                .limit(ModelConsolidation.MAX_FACTS - newFacts.size())
                .toList();
    }

    private static List<UnitLearned> shownObservations(
            Observations observations, MemoryDraft draft, List<UnitLearned> newFacts) {
        return nearestUnits(draft, newFacts, FactType.OBSERVATION)
                .flatMap(id -> observations.observation(id, newFacts.getFirst().unit()))
                .limit(MAX_SHOWN)
                .toList();
    }

    /** Units near any of the facts, nearest first. */
    private static Stream<UUID> nearestUnits(MemoryDraft draft, List<UnitLearned> facts, FactType type) {
        Map<UUID, Double> cosines = new LinkedHashMap<>();
        for (UnitLearned fact : facts) {
            draft.view()
                    .nearest(fact.unit(), type, NEAR, NEAREST + facts.size())
                    .forEach(neighbour -> cosines.merge(neighbour.unit(), neighbour.cosine(), Math::max));
        }
        return cosines.entrySet().stream()
                .map(entry -> new Neighbour(entry.getKey(), entry.getValue()))
                .sorted(Neighbour.NEAREST_FIRST)
                .map(Neighbour::unit);
    }

    /** Whether two units are related, by their vectors. */
    static boolean isNear(Unit first, Unit second) {
        Vector firstVector = first.vector();
        Vector secondVector = second.vector();
        return firstVector != null
                && secondVector != null
                && Objects.equals(first.generation(), second.generation())
                && firstVector.cosine(secondVector) >= NEAR;
    }
}
