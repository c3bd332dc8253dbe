package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.Backlog.Asking;
import dev.parley.domain.memory.Backlog.Seen;
import dev.parley.domain.memory.MemoryEvent.Consolidated;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.consolidate.Change;
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation.Read;
import dev.parley.domain.memory.consolidate.Traces;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Application of observations written by a model. */
final class WrittenObservations {
    private WrittenObservations() {}

    /**
     * Applies what the model wrote.
     *
     * @param generation of the vectors, which are in the order of {@link #texts}; null if there are none
     */
    static void carryOut(
            MemoryDraft draft,
            Asking asking,
            ConsolidationQuestion question,
            Read.Changes changes,
            @Nullable String generation,
            List<Vector> vectors) {
        var maker = new Maker(ModelConsolidation.VERSION, asking.prompt(), asking.model());
        var left = new ArrayList<>(vectors);
        var changed = new HashSet<UUID>();
        int done = 0;
        int dropped = changes.dropped();
        for (Change change : changes.changes()) {
            Optional<Written> written = Written.of(question, change);
            boolean carried = switch (change) {
                case Change.Keep _ -> false;
                case Change.Delete delete -> {
                    UUID id = UUID.fromString(delete.id());
                    question.consolidating().retired(id, delete.reason(), null);
                    yield changed.add(id);
                }
                case Change.Create _, Change.Update _ ->
                    written.isPresent()
                            && write(
                                    draft,
                                    question,
                                    written.get(),
                                    changed,
                                    maker,
                                    Objects.requireNonNull(generation),
                                    left.removeFirst());
            };
            if (carried) {
                done++;
            } else if (!(change instanceof Change.Keep)) {
                dropped++;
            }
        }
        int carriedOut = done;
        int leftOut = dropped;
        draft.emit(meta -> new Consolidated(
                meta,
                asking.facts(),
                asking.shown().stream().map(Seen::observation).toList(),
                maker,
                asking.usage(),
                carriedOut,
                leftOut));
    }

    /** Learns an observation. Returns whether it was valid. */
    private static boolean write(
            MemoryDraft draft,
            ConsolidationQuestion question,
            Written written,
            Set<UUID> changed,
            Maker maker,
            String generation,
            Vector vector) {
        var consolidating = question.consolidating();
        UnitLearned changes = written.before();
        Unit old = changes != null
                ? changes.unit()
                : twin(question, written, changed, vector).orElse(null); // it is there already: it has more proof now
        if (old == null && !draft.hasRoom()) {
            return false;
        }
        List<UnitLearned> proofs = proofs(consolidating, written, old);
        List<UUID> sources = sources(question, written, old, proofs);
        if (sources.size() > Consolidating.MAX_SOURCES) {
            return false; // each version names all of them
        }
        if (old != null) {
            changed.add(old.id());
        }
        Unit unit = unit(draft, written, old, proofs, sources, generation, vector);
        String reason = old == null ? null : written.reason();
        consolidating.learned(meta -> new UnitLearned(meta, unit, written.mentions(), List.of(), reason, maker));
        if (old != null && written.contradicts()) {
            outdated(draft, old, written).forEach(fact -> consolidating.outdated(fact, unit.id()));
        }
        return true;
    }

    /** The supporting facts: the cited ones, and those of the previous version unless it is contradicted. */
    private static List<UnitLearned> proofs(Consolidating consolidating, Written written, @Nullable Unit old) {
        List<UnitLearned> counted = old == null || written.contradicts()
                ? List.of()
                : Consolidating.proofs(old).stream().map(consolidating::unit).toList();
        return consolidating.onceADocument(counted, ConsolidationQuestion.ids(written.cited()));
    }

    /** All units that the text may contain content of, supporting facts first. */
    private static List<UUID> sources(
            ConsolidationQuestion question, Written written, @Nullable Unit old, List<UnitLearned> proofs) {
        return Stream.of(
                        ConsolidationQuestion.ids(proofs).stream(),
                        ConsolidationQuestion.ids(written.cited()).stream(),
                        old == null ? Stream.<UUID>of() : old.sources().stream(),
                        traces(question, written).stream())
                .flatMap(all -> all)
                .filter(source -> old == null || !source.equals(old.id()))
                .distinct()
                .toList();
    }

    private static Unit unit(
            MemoryDraft draft,
            Written written,
            @Nullable Unit old,
            List<UnitLearned> proofs,
            List<UUID> sources,
            String generation,
            Vector vector) {
        List<Unit> facts = proofs.stream().map(UnitLearned::unit).toList();
        Unit one = written.cited().getFirst().unit();
        return new Unit(
                old == null
                        ? Ids.of(
                                "observation",
                                draft.state().open().id(),
                                draft.state().lastSeq() + 1)
                        : old.id(),
                null,
                old == null ? 1 : old.version() + 1,
                FactType.OBSERVATION,
                written.text(),
                one.context(),
                null,
                Consolidating.occurred(facts),
                facts.stream().map(Unit::mentionedAt).max(Instant::compareTo).orElseThrow(),
                one.tags(),
                null,
                proofs.size(),
                sources,
                generation,
                vector);
    }

    /** Facts of the previous version that are older than what contradicts it, and about the same subject. */
    private static List<UUID> outdated(MemoryDraft draft, Unit old, Written written) {
        return Consolidating.proofs(old).stream()
                .filter(draft.memory()::holds)
                .filter(id -> {
                    Unit fact = draft.memory().unit(id).orElseThrow().unit();
                    return written.cited().stream()
                            .map(UnitLearned::unit)
                            .anyMatch(cited -> !cited.id().equals(id)
                                    && fact.mentionedAt().isBefore(cited.mentionedAt())
                                    && NextFacts.isNear(fact, cited));
                })
                .toList();
    }

    /** An existing observation with nearly the same text. */
    private static Optional<Unit> twin(
            ConsolidationQuestion question, Written written, Set<UUID> changed, Vector vector) {
        return Consolidation.twin(
                        written.text(),
                        names(written.mentions()),
                        vector.values(),
                        question.shown().stream()
                                .filter(one -> !changed.contains(one.unit().id()))
                                .map(question.consolidating()::observation)
                                .toList())
                .map(twin -> question.fact(twin.id()).unit());
    }

    /** Units that were shown but not cited, and may have contributed to the text. */
    private static List<UUID> traces(ConsolidationQuestion question, Written written) {
        UnitLearned before = written.before();
        List<UnitLearned> cited = Stream.concat(Stream.ofNullable(before), written.cited().stream())
                .toList();
        List<UnitLearned> others = Stream.concat(question.facts().stream(), question.shown().stream())
                .filter(one -> !cited.contains(one))
                .toList();
        return Traces.in(
                        written.text(),
                        cited.stream().map(event -> event.unit().text()).toList(),
                        others.stream().map(event -> event.unit().text()).toList())
                .stream()
                .map(index -> others.get(index).unit().id())
                .toList();
    }

    /** The embedding text of each written observation, in order. */
    static List<String> texts(ConsolidationQuestion question, Read.Changes changes) {
        return changes.changes().stream()
                .flatMap(change -> Written.of(question, change).stream())
                .map(written -> FactIntegration.meaning(written.text(), null, names(written.mentions())))
                .toList();
    }

    private static List<String> names(List<Mention> mentions) {
        return mentions.stream().map(Mention::name).toList();
    }

    /**
     * An observation written by the model.
     *
     * @param before the observation it changes, or null
     * @param cited the cited facts
     */
    private record Written(
            String text,
            @Nullable UnitLearned before,
            boolean contradicts,
            String reason,
            List<UnitLearned> cited,
            List<Mention> mentions) {
        static Optional<Written> of(ConsolidationQuestion question, Change change) {
            return switch (change) {
                case Change.Create create ->
                    create.sources().size() < 2
                            ? Optional.empty() // a fact stands for itself
                            : Optional.of(
                                    of(question, create.text(), null, false, "more facts say it", create.sources()));
                case Change.Update update -> {
                    UnitLearned before = question.fact(update.id());
                    List<String> fresh = update.sources().stream()
                            .filter(id -> question.facts().stream()
                                    .anyMatch(
                                            fact -> fact.unit().id().toString().equals(id)))
                            .toList();
                    yield Optional.of(
                            of(question, update.text(), before, update.contradicts(), update.reason(), fresh));
                }
                case Change.Delete _, Change.Keep _ -> Optional.empty();
            };
        }

        private static Written of(
                ConsolidationQuestion question,
                String text,
                @Nullable UnitLearned before,
                boolean contradicts,
                String reason,
                List<String> facts) {
            List<UnitLearned> cited = facts.stream().map(question::fact).toList();
            List<UnitLearned> all =
                    Stream.concat(Stream.ofNullable(before), cited.stream()).toList();
            return new Written(text, before, contradicts, reason, cited, OpinionFormation.named(text, all));
        }
    }
}
