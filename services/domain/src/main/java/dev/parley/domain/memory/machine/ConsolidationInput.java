package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.ReviewQueue.Asking;
import dev.parley.domain.memory.consolidate.ModelConsolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation.Read;
import dev.parley.domain.memory.prompt.Prompt;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The units that a consolidation request shows to a model, by which its answer is interpreted. */
record ConsolidationInput(Observations observations, List<UnitLearned> facts, List<UnitLearned> shown) {
    /** Empty if a fact no longer exists, or an observation has changed since. */
    static Optional<ConsolidationInput> of(MemoryDraft draft, Asking pending) {
        var observations = new Observations(draft);
        boolean isUnchanged = pending.facts().stream().allMatch(fact -> isAlone(draft, fact))
                && pending.shown().stream()
                        .allMatch(seen -> draft.memory().isActive(seen.observation())
                                && observations.unit(seen.observation()).unit().version() == seen.version());
        if (!isUnchanged) {
            return Optional.empty();
        }
        List<UnitLearned> facts =
                pending.facts().stream().map(observations::unit).toList();
        List<UnitLearned> shown = pending.shown().stream()
                .map(seen -> observations.unit(seen.observation()))
                .toList();
        boolean isComparable = Stream.concat(facts.stream(), shown.stream())
                .allMatch(event -> event.unit().vector() != null);
        return isComparable ? Optional.of(new ConsolidationInput(observations, facts, shown)) : Optional.empty();
    }

    Prompt prompt(MemoryDraft draft) {
        BankProfile profile = draft.state().profile();
        return ModelConsolidation.prompt(
                facts.stream().map(observations::source).toList(),
                shown.stream().map(observations::observation).toList(),
                profile == null ? null : profile.background());
    }

    Read read(String answer) {
        return ModelConsolidation.parse(
                answer,
                facts.stream().map(observations::source).toList(),
                shown.stream().map(observations::observation).toList());
    }

    UnitLearned unit(String id) {
        return observations.unit(Ids.parse(id));
    }

    boolean hasFact(String id) {
        return facts.stream().anyMatch(fact -> fact.unit().id().toString().equals(id));
    }

    /** Whether a fact is active and supports no active observation. */
    static boolean isAlone(MemoryDraft draft, UUID fact) {
        return draft.memory().isActive(fact)
                && draft.memory().derivedFrom(fact).stream()
                        .filter(derived -> draft.memory().isActive(derived, FactType.OBSERVATION))
                        .flatMap(observation -> draft.memory().unit(observation).stream())
                        .noneMatch(observation ->
                                Observations.proofs(observation.unit()).contains(fact));
    }

    static List<UUID> ids(List<UnitLearned> units) {
        return units.stream().map(event -> event.unit().id()).toList();
    }
}
