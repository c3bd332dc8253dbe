package dev.parley.domain.memory;

import dev.parley.domain.turn.Usage;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happened to a bank, in order. All that it knows follows from these, and a replay of them asks no model. */
public sealed interface MemoryEvent {
    MemoryMeta meta();

    /** The bank is like this now; the first event of each bank. */
    record BankChanged(MemoryMeta meta, BankProfile profile) implements MemoryEvent {}

    /** A document was given to the bank, or given anew with another text. */
    record DocumentRetained(MemoryMeta meta, Document document) implements MemoryEvent {}

    /**
     * A model has read a chunk.
     *
     * @param chunk SHA-256 of its text
     * @param prompt SHA-256 of what it was told
     */
    record FactsExtracted(
            MemoryMeta meta,
            UUID docId,
            String chunk,
            String extractor,
            String prompt,
            String model,
            Usage usage,
            List<Fact> facts)
            implements MemoryEvent {
        public FactsExtracted {
            facts = List.copyOf(facts);
        }
    }

    /**
     * What the passages of a chunk mean is known.
     *
     * @param chunk SHA-256 of its text
     * @param generation what made the vectors
     */
    record PassagesEmbedded(MemoryMeta meta, UUID docId, String chunk, String generation, List<Vector> vectors)
            implements MemoryEvent {
        public PassagesEmbedded {
            vectors = List.copyOf(vectors);
        }
    }

    /**
     * The bank knows something new, or knows it better: {@code unit.version} is above 1 then.
     *
     * @param mentions whom and what it is about
     * @param links between this unit and earlier ones
     * @param reason why it was changed, or null for a new one
     */
    record UnitLearned(
            MemoryMeta meta,
            Unit unit,
            List<Mention> mentions,
            List<Link> links,
            @Nullable String reason) implements MemoryEvent {
        public UnitLearned {
            mentions = List.copyOf(mentions);
            links = List.copyOf(links);
        }
    }

    /**
     * The bank does not hold something to be true any more. It was known until now.
     *
     * @param replacedBy the unit that says it better, or null
     */
    record UnitRetired(
            MemoryMeta meta,
            UUID unitId,
            String reason,
            @Nullable UUID replacedBy) implements MemoryEvent {}

    /**
     * What a unit means to another model is known.
     *
     * @param learned number of the event that has the version of the unit whose text it is
     * @param since when that happened
     * @param generation what made the vector
     */
    record UnitEmbedded(MemoryMeta meta, UUID unitId, long learned, Instant since, String generation, Vector vector)
            implements MemoryEvent {}

    /**
     * The bank is searched by vectors of this generation from now on, and has this one beside it.
     *
     * @param current the one that is searched
     * @param other the one beside it, or null; any further one is no more
     * @param wanted whether the other one is to be searched as soon as it is whole
     */
    record GenerationChanged(
            MemoryMeta meta, String current, @Nullable String other, boolean wanted) implements MemoryEvent {}

    /**
     * A bank is made of what this one knew.
     *
     * @param name of the branch
     * @param upTo number of the last event that it may get
     * @param at it gets no event of later than this; or null
     */
    record BranchBegun(
            MemoryMeta meta,
            String name,
            long upTo,
            @Nullable Instant at) implements MemoryEvent {}

    /**
     * This bank has all that it gets of the one that it is a branch of. What is before stands there, too, at the same times.
     *
     * @param upTo number of the last event of that one that was looked at
     */
    record Branched(MemoryMeta meta, long upTo) implements MemoryEvent {}

    /** The bank may hold and spend so much from now on. */
    record BankLimited(MemoryMeta meta, Allowance allowance) implements MemoryEvent {}

    /** A hard rule was made or changed. */
    record DirectiveSet(MemoryMeta meta, Directive directive) implements MemoryEvent {}

    /** A hard rule is no more. */
    record DirectiveRemoved(MemoryMeta meta, UUID directiveId) implements MemoryEvent {}

    /**
     * Something was erased: the records that held it have tombstones, and it is to be removed wherever it stands.
     *
     * @param erasure the id under which it was asked for
     * @param documents ids of what is gone
     * @param units ids of what is gone
     * @param whole whether all of the bank is
     */
    record Forgotten(MemoryMeta meta, UUID erasure, List<UUID> documents, List<UUID> units, boolean whole)
            implements MemoryEvent {
        public Forgotten {
            documents = List.copyOf(documents);
            units = List.copyOf(units);
        }
    }
}
