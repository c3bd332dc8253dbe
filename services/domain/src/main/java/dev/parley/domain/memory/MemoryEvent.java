package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.protocol.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happened to a bank, in order. All that it knows follows from these, and a replay of them asks no model. */
public sealed interface MemoryEvent {
    MemoryMeta meta();

    /** The same under this head: in another bank, or with another number. */
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
     * What the passages of a chunk mean is known, or will not be: nobody's answer could be used, and they are found by their words.
     *
     * @param chunk SHA-256 of its text
     * @param generation what made the vectors, or would have; empty where that is not known
     * @param vectors one for each passage, or none
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
     * @param maker what made it of other units, or null for what was found in a document
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

        /** What was found in a document. */
        public UnitLearned(
                MemoryMeta meta, Unit unit, List<Mention> mentions, List<Link> links, @Nullable String reason) {
            this(meta, unit, mentions, links, reason, null);
        }
    }

    /**
     * A model has looked at facts, and what it wrote was carried out. Its changes stand before this.
     *
     * @param facts ids of the facts that it was shown
     * @param shown ids of the observations that it was shown
     * @param usage what the call used
     * @param changes how many of its changes were carried out
     * @param dropped how many were not: they break the rules
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
     * The bank has thought about a question. Found again is an answer that cites something and was given; where a mental model was
     * made anew, its unit has the answer.
     *
     * @param id the same for each time that the same is asked
     * @param made the mental model that was made anew, or null
     * @param session where it was asked, or null
     * @param tags of which what it rests on had one
     * @param answer empty where it is withheld, and where a mental model has it
     * @param basedOn ids of the units and passages that the answer cites
     * @param seen ids of all that a model was shown, or rules took: when one of them is erased, this is
     * @param how what answered: {@code model-…} or {@code rules-…}
     * @param prompt SHA-256 of what the model was told, or null
     * @param model which one, {@code provider/model}, or null
     * @param modelCalls how often a model was asked
     * @param withheld name of the directive that the answer breaks, or null
     * @param generation what made the vector, or null where there is none
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

        /** The text by which its meaning is known. */
        String meaning() {
            return meaning(question, answer);
        }

        static String meaning(String question, String answer) {
            return question + "\n" + answer;
        }

        /** Whether later questions find it. */
        public boolean isFound() {
            return made == null && withheld == null && !basedOn.isEmpty();
        }

        /** Ids of the units and documents that the answer cites. */
        public List<UUID> sources() {
            return sources(basedOn);
        }

        /** The units and documents that these ids of units and passages belong to, each once. */
        static List<UUID> sources(List<String> ids) {
            return ids.stream()
                    .map(id -> UUID.fromString(id.substring(0, UUID_LENGTH)))
                    .distinct()
                    .toList();
        }

        private static final int UUID_LENGTH = 36;
    }

    /** A question is always answered from now on, or another one under its id. */
    record MentalModelSet(MemoryMeta meta, MentalModel model) implements MemoryEvent {}

    /** A question is not answered any more; its answer is held to be true no more. */
    record MentalModelRemoved(MemoryMeta meta, UUID modelId) implements MemoryEvent {}

    /**
     * What a unit or a reflection means to another model is known.
     *
     * @param unitId of the unit or the reflection
     * @param learned number of the event that has the version whose text it is
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
     * @param units ids of what is gone: units and reflections
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
