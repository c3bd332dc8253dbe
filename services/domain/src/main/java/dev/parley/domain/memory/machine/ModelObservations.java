package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.Maker;
import dev.parley.domain.memory.MemoryEvent.Consolidated;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.ReviewQueue.Asking;
import dev.parley.domain.memory.ReviewQueue.Seen;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.consolidate.Change;
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation.Read;
import dev.parley.domain.memory.consolidate.Traces;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Application of the changes of observations that a model requested. */
final class ModelObservations {
    private final MemoryDraft draft;
    private final ConsolidationInput input;
    private final Observations observations;
    private final Maker maker;
    private final TextVectors vectors;
    /** Observations changed so far. */
    private final Set<UUID> changed = new HashSet<>();

    private int applied;
    private int dropped;

    private ModelObservations(
            MemoryDraft draft, ConsolidationInput input, Maker maker, TextVectors vectors, int dropped) {
        this.draft = draft;
        this.input = input;
        this.observations = input.observations();
        this.maker = maker;
        this.vectors = vectors;
        this.dropped = dropped;
    }

    /** Applies the changes. The vectors are in the order of {@link #texts}. */
    static void apply(
            MemoryDraft draft, Asking pending, ConsolidationInput input, Read.Changes changes, TextVectors vectors) {
        var maker = new Maker(ModelConsolidation.VERSION, pending.prompt(), pending.model());
        var update = new ModelObservations(draft, input, maker, vectors, changes.dropped());
        update.apply(changes.changes());
        draft.emit(meta -> new Consolidated(
                meta,
                pending.facts(),
                pending.shown().stream().map(Seen::observation).toList(),
                maker,
                pending.usage(),
                update.applied,
                update.dropped));
    }

    private void apply(List<Change> changes) {
        int text = 0;
        for (Change change : changes) {
            Optional<Proposal> proposal = Proposal.of(input, change);
            boolean isApplied = switch (change) {
                case Change.Create _, Change.Update _ -> proposal.isPresent() && learn(proposal.get(), text++);
                case Change.Delete delete -> retire(delete);
                case Change.Keep _ -> false;
            };
            if (isApplied) {
                applied++;
            } else if (!(change instanceof Change.Keep)) {
                dropped++;
            }
        }
    }

    /** Retires an observation. Returns false if the model has changed it in the same answer. */
    private boolean retire(Change.Delete delete) {
        UUID id = Ids.parse(delete.id());
        observations.retire(id, delete.reason(), null);
        return changed.add(id);
    }

    /** Learns an observation with the vector of this index. Returns whether it was valid. */
    private boolean learn(Proposal proposal, int text) {
        Unit old = previous(proposal, text).orElse(null);
        if (old == null && !draft.hasRoom()) {
            return false;
        }
        List<UnitLearned> proofs = proofs(proposal, old);
        List<UUID> sources = sources(proposal, old, proofs);
        if (sources.size() > Observations.MAX_SOURCES) {
            return false; // each version lists all of them
        }
        if (old != null) {
            changed.add(old.id());
        }
        Unit unit = unit(proposal, old, proofs, sources, text);
        String reason = old == null ? null : proposal.reason();
        observations.learn(meta -> new UnitLearned(meta, unit, proposal.mentions(), List.of(), reason, maker));
        if (old != null && proposal.contradicts()) {
            outdatedFacts(old, proposal).forEach(fact -> observations.supersede(fact, unit.id()));
        }
        return true;
    }

    private Unit unit(Proposal proposal, @Nullable Unit old, List<UnitLearned> proofs, List<UUID> sources, int text) {
        return Observations.unit(
                old == null ? Observations.newId(draft) : old.id(),
                old == null ? 1 : old.version() + 1,
                proposal.text(),
                proposal.cited().getFirst().unit(),
                proofs.stream().map(UnitLearned::unit).toList(),
                sources,
                vectors.generation(text),
                vectors.vector(text));
    }

    /** The supporting facts: the cited ones, and those of the previous version unless it is contradicted. */
    private List<UnitLearned> proofs(Proposal proposal, @Nullable Unit old) {
        List<UnitLearned> counted = old == null || proposal.contradicts()
                ? List.of()
                : Observations.proofs(old).stream().map(observations::unit).toList();
        return observations.oncePerDocument(counted, ConsolidationInput.ids(proposal.cited()));
    }

    /** All units that the text may contain content of, supporting facts first. */
    private List<UUID> sources(Proposal proposal, @Nullable Unit old, List<UnitLearned> proofs) {
        return Stream.of(
                        ConsolidationInput.ids(proofs),
                        ConsolidationInput.ids(proposal.cited()),
                        old == null ? List.<UUID>of() : old.sources(),
                        traces(proposal))
                .flatMap(List::stream)
                .filter(source -> old == null || !source.equals(old.id()))
                .distinct()
                .toList();
    }

    /** Facts of the previous version that are older than what contradicts it, and about the same subject. */
    private List<UUID> outdatedFacts(Unit old, Proposal proposal) {
        return Observations.proofs(old).stream()
                .filter(draft.memory()::isActive)
                .filter(id -> {
                    Unit fact = draft.memory().unit(id).orElseThrow().unit();
                    return proposal.cited().stream()
                            .map(UnitLearned::unit)
                            .anyMatch(cited -> !cited.id().equals(id)
                                    && fact.mentionedAt().isBefore(cited.mentionedAt())
                                    && ConsolidationBatch.isNear(fact, cited));
                })
                .toList();
    }

    /** The observation to change: the named one, or one with nearly the same text, which needs no copy. */
    private Optional<Unit> previous(Proposal proposal, int text) {
        if (proposal.before() != null) {
            return Optional.of(proposal.before().unit());
        }
        Vector vector = Objects.requireNonNull(vectors.vector(text));
        return Consolidation.twin(
                        proposal.text(),
                        proposal.names(),
                        vector.values(),
                        input.shown().stream()
                                .filter(candidate ->
                                        !changed.contains(candidate.unit().id()))
                                .map(observations::observation)
                                .toList())
                .map(twin -> input.unit(twin.id()).unit());
    }

    /** Units that were shown but not cited, and may have contributed to the text. */
    private List<UUID> traces(Proposal proposal) {
        List<UnitLearned> cited = Stream.concat(Stream.ofNullable(proposal.before()), proposal.cited().stream())
                .toList();
        List<UnitLearned> uncited = Stream.concat(input.facts().stream(), input.shown().stream())
                .filter(unit -> !cited.contains(unit))
                .toList();
        return Traces.in(proposal.text(), texts(cited), texts(uncited)).stream()
                .map(index -> uncited.get(index).unit().id())
                .toList();
    }

    private static List<String> texts(List<UnitLearned> units) {
        return units.stream().map(event -> event.unit().text()).toList();
    }

    /** The embedding text of each written observation, in order. */
    static List<String> texts(ConsolidationInput input, Read.Changes changes) {
        return changes.changes().stream()
                .flatMap(change -> Proposal.of(input, change).stream())
                .map(proposal -> FactIntegration.embeddingText(proposal.text(), proposal.names()))
                .toList();
    }

    /**
     * An observation written by the model.
     *
     * @param before the observation it changes, or null
     * @param cited the cited facts
     */
    private record Proposal(
            String text,
            @Nullable UnitLearned before,
            boolean contradicts,
            String reason,
            List<UnitLearned> cited,
            List<Mention> mentions) {
        static Optional<Proposal> of(ConsolidationInput input, Change change) {
            return switch (change) {
                case Change.Create create ->
                    create.sources().size() < 2
                            ? Optional.empty()
                            : Optional.of(of(input, create.text(), null, false, "more facts say it", create.sources()));
                case Change.Update update ->
                    Optional.of(of(
                            input,
                            update.text(),
                            input.unit(update.id()),
                            update.contradicts(),
                            update.reason(),
                            update.sources().stream().filter(input::hasFact).toList()));
                case Change.Delete _, Change.Keep _ -> Optional.empty();
            };
        }

        private static Proposal of(
                ConsolidationInput input,
                String text,
                @Nullable UnitLearned before,
                boolean contradicts,
                String reason,
                List<String> facts) {
            List<UnitLearned> cited = facts.stream().map(input::unit).toList();
            List<UnitLearned> units =
                    Stream.concat(Stream.ofNullable(before), cited.stream()).toList();
            return new Proposal(text, before, contradicts, reason, cited, OpinionFormation.findMentions(text, units));
        }

        List<String> names() {
            return mentions.stream().map(Mention::name).toList();
        }
    }
}
