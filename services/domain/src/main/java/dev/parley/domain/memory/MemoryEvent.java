package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.protocol.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The events of a bank, from which all its content is derived. Replay calls no model. */
public sealed interface MemoryEvent {
    MemoryMeta meta();

    /** This event with other metadata: in another bank, or with another number. */
    default MemoryEvent in(MemoryMeta other) {
        return switch (this) {
            case BankChanged e -> new BankChanged(other, e.profile());
            case DocumentRetained e -> new DocumentRetained(other, e.document());
            case FactsExtracted e ->
                new FactsExtracted(
                        other, e.docId(), e.chunk(), e.extractor(), e.prompt(), e.model(), e.usage(), e.facts());
            case PassagesEmbedded e -> new PassagesEmbedded(other, e.docId(), e.chunk(), e.generation(), e.vectors());
            case UnitLearned e -> new UnitLearned(other, e.unit(), e.mentions(), e.links(), e.reason(), e.maker());
            case UnitEmbedded e ->
                new UnitEmbedded(other, e.unitId(), e.learned(), e.since(), e.generation(), e.vector());
            case GenerationChanged e -> new GenerationChanged(other, e.current(), e.other(), e.wanted());
            case Consolidated e ->
                new Consolidated(other, e.facts(), e.shown(), e.maker(), e.usage(), e.changes(), e.dropped());
            case UnitRetired e -> new UnitRetired(other, e.unitId(), e.reason(), e.replacedBy());
            case DirectiveSet e -> new DirectiveSet(other, e.directive());
            case DirectiveRemoved e -> new DirectiveRemoved(other, e.directiveId());
            case Forgotten e -> new Forgotten(other, e.erasure(), e.documents(), e.units(), e.whole());
            case BankLimited e -> new BankLimited(other, e.allowance());
            case Reflected e -> e.withMeta(other);
            case MentalModelSet e -> new MentalModelSet(other, e.model());
            case MentalModelRemoved e -> new MentalModelRemoved(other, e.modelId());
            case BranchBegun e -> new BranchBegun(other, e.name(), e.upTo(), e.at());
            case Branched e -> new Branched(other, e.upTo());
        };
    }

    /** The bank's profile was set; the first event of each bank. */
    record BankChanged(MemoryMeta meta, BankProfile profile) implements MemoryEvent {}

    /** A document was retained, or replaced by a new version. */
    record DocumentRetained(MemoryMeta meta, Document document) implements MemoryEvent {}

    /**
     * A model extracted facts from a chunk.
     *
     * @param chunk SHA-256 of its text
     * @param prompt SHA-256 of the prompt
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
     * The passages of a chunk were embedded, or could not be: then they are found by keywords only.
     *
     * @param chunk SHA-256 of its text
     * @param generation of the vectors, or the requested one; empty if unknown
     * @param vectors one per passage, or none
     */
    record PassagesEmbedded(MemoryMeta meta, UUID docId, String chunk, String generation, List<Vector> vectors)
            implements MemoryEvent {
        public PassagesEmbedded {
            vectors = List.copyOf(vectors);
        }
    }

    /**
     * A unit was learned, or changed if {@code unit.version} is above 1.
     *
     * @param mentions its entities
     * @param links between this unit and earlier ones
     * @param reason for a change, or null for a new unit
     * @param maker origin of a derived unit, or null for one extracted from a document
     */
    record UnitLearned(
            MemoryMeta meta,
            Unit unit,
            List<Mention> mentions,
            List<Link> links,
            @Nullable String reason,
            @Nullable Maker maker)
            implements MemoryEvent {
        public UnitLearned {
            mentions = List.copyOf(mentions);
            links = List.copyOf(links);
        }

        /** A unit extracted from a document. */
        public UnitLearned(
                MemoryMeta meta, Unit unit, List<Mention> mentions, List<Link> links, @Nullable String reason) {
            this(meta, unit, mentions, links, reason, null);
        }

        /** The names of its entities as mentioned. */
        public List<String> names() {
            return mentions.stream().map(Mention::name).toList();
        }
    }

    /**
     * A model consolidated facts. The events of its changes precede this one.
     *
     * @param facts ids of the facts it was shown
     * @param shown ids of the observations it was shown
     * @param usage of the call
     * @param changes number of changes applied
     * @param dropped number of invalid changes
     */
    record Consolidated(
            MemoryMeta meta, List<UUID> facts, List<UUID> shown, Maker maker, Usage usage, int changes, int dropped)
            implements MemoryEvent {
        public Consolidated {
            facts = List.copyOf(facts);
            shown = List.copyOf(shown);
        }
    }

    /**
     * A unit was retired: it is no longer considered true.
     *
     * @param replacedBy the unit that supersedes it, or null
     */
    record UnitRetired(
            MemoryMeta meta,
            UUID unitId,
            String reason,
            @Nullable UUID replacedBy) implements MemoryEvent {}

    /**
     * The bank answered a question. Recall finds answers that have citations and were not withheld; the answer of a
     * mental model is in its unit.
     *
     * @param id shared by all repetitions of the question
     * @param made the refreshed mental model, or null
     * @param session of the question, or null
     * @param tags evidence was required to have one of these
     * @param answer empty if it is withheld, or is that of a mental model
     * @param basedOn ids of the cited units and passages
     * @param seen ids of all evidence shown to a model or used by rules: if one is erased, so is this event
     * @param how version of the implementation, {@code model-…} or {@code rules-…}
     * @param prompt SHA-256 of the prompt, or null
     * @param model {@code provider/model}, or null
     * @param modelCalls number of model calls
     * @param withheld name of the directive that the answer breaks, or null
     * @param generation of the vector, or null if there is none
     */
    @RecordBuilder
    record Reflected(
            MemoryMeta meta,
            UUID id,
            @Nullable UUID made,
            @Nullable RecordKey session,
            String question,
            List<String> tags,
            String answer,
            List<String> basedOn,
            List<String> seen,
            String how,
            @Nullable String prompt,
            @Nullable String model,
            int modelCalls,
            Usage usage,
            @Nullable String withheld,
            @Nullable String generation,
            @Nullable Vector vector)
            implements MemoryEvent, MemoryEventReflectedBuilder.With {
        public Reflected {
            tags = List.copyOf(tags);
            basedOn = List.copyOf(basedOn);
            seen = List.copyOf(seen);
        }

        public String embeddingText() {
            return embeddingText(question, answer);
        }

        public static String embeddingText(String question, String answer) {
            return question + "\n" + answer;
        }

        /** Whether recall finds it. */
        public boolean isFound() {
            return made == null && withheld == null && !basedOn.isEmpty();
        }

        /** Ids of the cited units and documents. */
        public List<UUID> sources() {
            return sources(basedOn);
        }

        /** The distinct units and documents of these unit and passage ids. */
        public static List<UUID> sources(List<String> ids) {
            return ids.stream()
                    .map(id -> Ids.parse(id.substring(0, UUID_LENGTH)))
                    .distinct()
                    .toList();
        }

        private static final int UUID_LENGTH = 36;
    }

    /** A mental model was added or replaced. */
    record MentalModelSet(MemoryMeta meta, MentalModel model) implements MemoryEvent {}

    /** A mental model was removed; its answer is retired. */
    record MentalModelRemoved(MemoryMeta meta, UUID modelId) implements MemoryEvent {}

    /**
     * A unit or a reflection was embedded by another model.
     *
     * @param unitId id of the unit or reflection
     * @param learned number of the event with the embedded version
     * @param since time of that event
     * @param generation of the vector
     */
    record UnitEmbedded(MemoryMeta meta, UUID unitId, long learned, Instant since, String generation, Vector vector)
            implements MemoryEvent {}

    /**
     * The embedding generations changed.
     *
     * @param current the searched generation
     * @param other the second generation, or null; any further one is dropped
     * @param wanted whether to switch to the other generation when it is complete
     */
    record GenerationChanged(
            MemoryMeta meta, String current, @Nullable String other, boolean wanted) implements MemoryEvent {}

    /**
     * A branch of this bank was started.
     *
     * @param name of the branch
     * @param upTo number of the last event to copy
     * @param at latest time of events to copy, or null
     */
    record BranchBegun(
            MemoryMeta meta,
            String name,
            long upTo,
            @Nullable Instant at) implements MemoryEvent {}

    /**
     * This branch is complete. The events before this one are copies with the original times.
     *
     * @param upTo number of the last event of the source bank that was examined
     */
    record Branched(MemoryMeta meta, long upTo) implements MemoryEvent {}

    /** The bank's quota was set. */
    record BankLimited(MemoryMeta meta, BankQuota allowance) implements MemoryEvent {}

    /** A directive was added or replaced. */
    record DirectiveSet(MemoryMeta meta, Directive directive) implements MemoryEvent {}

    /** A directive was removed. */
    record DirectiveRemoved(MemoryMeta meta, UUID directiveId) implements MemoryEvent {}

    /**
     * Content was erased: its records have tombstones, and it must be removed wherever it is stored.
     *
     * @param erasure id of the request
     * @param documents ids of the erased documents
     * @param units ids of the erased units and reflections
     * @param whole whether the whole bank is erased
     */
    record Forgotten(MemoryMeta meta, UUID erasure, List<UUID> documents, List<UUID> units, boolean whole)
            implements MemoryEvent {
        public Forgotten {
            documents = List.copyOf(documents);
            units = List.copyOf(units);
        }
    }
}
