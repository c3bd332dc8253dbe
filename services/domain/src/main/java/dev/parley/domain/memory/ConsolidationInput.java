package dev.parley.domain.memory;

import dev.parley.domain.memory.Backlog.Asking;
import dev.parley.domain.memory.Backlog.Seen;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.consolidate.ModelConsolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation.Read;
import dev.parley.domain.memory.prompt.Prompt;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** A consolidation request as shown to a model, by which its answer is interpreted. */
record ConsolidationQuestion(Consolidating consolidating, List<UnitLearned> facts, List<UnitLearned> shown) {
    /** Empty if a fact is gone, or an observation has changed since. */
    static Optional<ConsolidationQuestion> of(MemoryDraft draft, Asking asking) {
        var consolidating = new Consolidating(draft);
        boolean there = asking.facts().stream().allMatch(fact -> isAlone(draft, fact))
                && asking.shown().stream()
                        .allMatch(seen -> draft.memory().holds(seen.observation())
                                && consolidating.unit(seen.observation()).unit().version() == seen.version());
        List<UUID> all = Stream.concat(
                        asking.facts().stream(), asking.shown().stream().map(Seen::observation))
                .toList();
        boolean comparable = there
                && all.stream().allMatch(id -> consolidating.unit(id).unit().vector() != null);
        return comparable
                ? Optional.of(new ConsolidationQuestion(
                        consolidating,
                        asking.facts().stream().map(consolidating::unit).toList(),
                        asking.shown().stream()
                                .map(seen -> consolidating.unit(seen.observation()))
                                .toList()))
                : Optional.empty();
    }

    Prompt prompt(MemoryDraft draft) {
        BankProfile profile = draft.state().profile();
        return ModelConsolidation.prompt(
                facts.stream().map(consolidating::source).toList(),
                shown.stream().map(consolidating::observation).toList(),
                profile == null ? null : profile.background());
    }

    Read read(String answer) {
        return ModelConsolidation.parse(
                answer,
                facts.stream().map(consolidating::source).toList(),
                shown.stream().map(consolidating::observation).toList());
    }

    UnitLearned fact(String id) {
        return consolidating.unit(UUID.fromString(id));
    }

    /** Whether a fact is active and in no observation. */
    static boolean isAlone(MemoryDraft draft, UUID fact) {
        return draft.memory().holds(fact)
                && draft.memory().madeOf(fact).stream()
                        .noneMatch(made -> draft.memory().holds(made)
                                && draft.memory().typeOf(made).equals(Optional.of(FactType.OBSERVATION))
                                && draft.memory()
                                        .unit(made)
                                        .filter(one ->
                                                Consolidating.proofs(one.unit()).contains(fact))
                                        .isPresent());
    }

    static List<UUID> ids(List<UnitLearned> units) {
        return units.stream().map(event -> event.unit().id()).toList();
    }
}
