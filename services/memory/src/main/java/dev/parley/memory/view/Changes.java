package dev.parley.memory.view;

import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.BankChanged;
import dev.parley.domain.memory.MemoryEvent.BankLimited;
import dev.parley.domain.memory.MemoryEvent.BranchBegun;
import dev.parley.domain.memory.MemoryEvent.Branched;
import dev.parley.domain.memory.MemoryEvent.Consolidated;
import dev.parley.domain.memory.MemoryEvent.DirectiveRemoved;
import dev.parley.domain.memory.MemoryEvent.DirectiveSet;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.MentalModelRemoved;
import dev.parley.domain.memory.MemoryEvent.MentalModelSet;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.MemoryMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The net changes of a run of events: of several changes of a row only the last is written. A run contains no erasure
 * and no change of generation.
 */
final class Changes {
    /** An object of a bank. */
    record Key(UUID bank, UUID id) {}

    /** A link, and the metadata of its event. */
    record Linked(UUID bank, MemoryMeta meta, Link link) {}

    /** A reflection, and whether its sources are unchanged since. */
    record Answer(Reflected event, boolean isCurrent) {}

    /** A count, in a bank of this host. */
    record Counted(UUID host, int count) {
        private Counted plus(Counted other) {
            return new Counted(host, count + other.count);
        }
    }

    /** A chunk of a document. */
    record Chunk(Key document, String chunk) {}

    /** A version of a unit. */
    record Version(Key unit, int version) {}

    private record Ends(UUID bank, UUID from, UUID to, LinkType type) {}

    /** The last event of each bank. */
    private final Map<UUID, MemoryEvent> banks = new LinkedHashMap<>();

    private final Map<UUID, BankChanged> profiles = new LinkedHashMap<>();
    private final Map<Key, DocumentRetained> documents = new LinkedHashMap<>();
    private final Map<Key, UnitLearned> learned = new LinkedHashMap<>();
    private final Map<Key, UnitEmbedded> embedded = new LinkedHashMap<>();
    private final Map<Key, Counted> vectors = new LinkedHashMap<>();
    private final Map<Key, UnitRetired> retired = new LinkedHashMap<>();
    private final Map<Key, MemoryEvent> directives = new LinkedHashMap<>();
    private final Map<Version, UnitLearned> versions = new LinkedHashMap<>();
    /** Mental models that were set or removed. */
    private final Map<Key, MemoryEvent> models = new LinkedHashMap<>();

    private final Map<Key, Answer> reflections = new LinkedHashMap<>();
    /** Units and documents that were retired or replaced, with the last event about each. */
    private final Map<Key, MemoryEvent> changedSources = new LinkedHashMap<>();

    private final Map<Ends, Linked> links = new LinkedHashMap<>();
    private final Map<Chunk, PassagesEmbedded> processedChunks = new LinkedHashMap<>();

    Map<UUID, MemoryEvent> banks() {
        return banks;
    }

    Map<UUID, BankChanged> profiles() {
        return profiles;
    }

    Map<Key, DocumentRetained> documents() {
        return documents;
    }

    Map<Key, UnitLearned> learnedUnits() {
        return learned;
    }

    /** Units that got a vector of another generation after they were last learned. */
    Map<Key, UnitEmbedded> embeddedUnits() {
        return embedded;
    }

    /** Number of vectors of the other generation that each unit, in all versions, and each reflection got. */
    Map<Key, Counted> vectors() {
        return vectors;
    }

    /** Units that were retired after they were last learned. */
    Map<Key, UnitRetired> retiredUnits() {
        return retired;
    }

    /** Directives that were set or removed. */
    Map<Key, MemoryEvent> directives() {
        return directives;
    }

    /** Versions of opinions and mental models. */
    Map<Version, UnitLearned> versions() {
        return versions;
    }

    /** Mental models that were set or removed. */
    Map<Key, MemoryEvent> models() {
        return models;
    }

    /** Reflections that later queries can find. */
    Map<Key, Answer> reflections() {
        return reflections;
    }

    /** Sources that were retired or replaced, which makes earlier reflections on them stale. */
    Map<Key, MemoryEvent> changedSources() {
        return changedSources;
    }

    Iterable<Linked> links() {
        return links.values();
    }

    /** Processed chunks of documents that still contain them. */
    Map<Chunk, PassagesEmbedded> processedChunks() {
        return processedChunks;
    }

    /** Adds the next event. */
    void add(UUID bank, MemoryEvent event) {
        banks.put(bank, event);
        switch (event) {
            case BankChanged e -> profiles.put(bank, e);
            case DocumentRetained e -> applyRetained(new Key(bank, e.document().id()), e);
            case PassagesEmbedded e -> processedChunks.put(new Chunk(new Key(bank, e.docId()), e.chunk()), e);
            case UnitLearned e -> applyLearned(bank, e);
            case UnitRetired e -> applyRetired(new Key(bank, e.unitId()), e);
            case Reflected e when e.isFound() -> applyReflected(new Key(bank, e.id()), e);
            case MentalModelSet e -> models.put(new Key(bank, e.model().id()), e);
            case MentalModelRemoved e -> models.put(new Key(bank, e.modelId()), e);
            case DirectiveSet e -> directives.put(new Key(bank, e.directive().id()), e);
            case DirectiveRemoved e -> directives.put(new Key(bank, e.directiveId()), e);
            case UnitEmbedded e -> applyEmbedded(new Key(bank, e.unitId()), e);
            case FactsExtracted _,
                    Consolidated _,
                    Reflected _,
                    GenerationChanged _,
                    Forgotten _,
                    BankLimited _,
                    BranchBegun _,
                    Branched _ -> {} // change no row of this run
        }
    }

    private void applyRetired(Key key, UnitRetired event) {
        retired.put(key, event);
        markSourceChanged(key, event);
    }

    private void applyReflected(Key key, Reflected event) {
        reflections.put(key, new Answer(event, true));
        embedded.remove(key); // vectors of the previous answer
    }

    private void applyEmbedded(Key key, UnitEmbedded event) {
        embedded.put(key, event);
        vectors.merge(key, new Counted(event.meta().bank().host(), 1), Counted::plus);
    }

    private void markSourceChanged(Key source, MemoryEvent event) {
        changedSources.put(source, event);
        reflections.replaceAll((key, answer) ->
                key.bank().equals(source.bank()) && answer.event().sources().contains(source.id())
                        ? new Answer(answer.event(), false)
                        : answer);
    }

    /** A chunk that was removed is processed again when it reappears. */
    private void applyRetained(Key key, DocumentRetained event) {
        documents.put(key, event);
        List<String> hashes =
                event.document().chunks().stream().map(Document.Piece::hash).toList();
        processedChunks.keySet().removeIf(chunk -> chunk.document().equals(key) && !hashes.contains(chunk.chunk()));
        markSourceChanged(key, event);
    }

    private void applyLearned(UUID bank, UnitLearned event) {
        var key = new Key(bank, event.unit().id());
        learned.put(key, event);
        if (event.unit().type() == FactType.OPINION || event.unit().type() == FactType.MENTAL_MODEL) {
            versions.put(new Version(key, event.unit().version()), event);
        }
        retired.remove(key);
        embedded.remove(key); // vectors of the previous text
        for (Link link : event.links()) {
            links.put(new Ends(bank, link.from(), link.to(), link.type()), new Linked(bank, event.meta(), link));
        }
    }
}
