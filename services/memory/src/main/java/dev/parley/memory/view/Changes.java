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

/** What a run of events comes to: of what changes more than once only the last is written. Nothing is forgotten within it, and no generation changes. */
final class Changes {
    /** A thing of a bank. */
    record Key(UUID bank, UUID id) {}

    /** A link, and the event that says so. */
    record Linked(UUID bank, MemoryMeta meta, Link link) {}

    /** A reflection, and whether what it rests on is still held to be true. */
    record Answer(Reflected event, boolean stands) {}

    /** So many, in a bank of this host. */
    record Counted(UUID host, int count) {
        private Counted plus(Counted other) {
            return new Counted(host, count + other.count);
        }
    }

    /** A chunk of a document. */
    record Read(Key document, String chunk) {}

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
    /** What became of mental models: each was set, or removed. */
    private final Map<Key, MemoryEvent> models = new LinkedHashMap<>();

    private final Map<Key, Answer> reflections = new LinkedHashMap<>();
    /** Units and documents that are not any more what they were, and the last event that says so. */
    private final Map<Key, MemoryEvent> shaken = new LinkedHashMap<>();

    private final Map<Ends, Linked> links = new LinkedHashMap<>();
    private final Map<Read, PassagesEmbedded> read = new LinkedHashMap<>();

    Map<UUID, MemoryEvent> banks() {
        return banks;
    }

    Map<UUID, BankChanged> profiles() {
        return profiles;
    }

    Map<Key, DocumentRetained> documents() {
        return documents;
    }

    Map<Key, UnitLearned> learned() {
        return learned;
    }

    /** Those that have a vector of another generation, after they were learned last. */
    Map<Key, UnitEmbedded> embedded() {
        return embedded;
    }

    /** How many vectors of the other generation each unit got, also for what it said before; and each reflection. */
    Map<Key, Counted> vectors() {
        return vectors;
    }

    /** Those that are held to be true no more, after they were learned last. */
    Map<Key, UnitRetired> retired() {
        return retired;
    }

    /** What became of directives: each was set, or removed. */
    Map<Key, MemoryEvent> directives() {
        return directives;
    }

    /** Versions of opinions and mental models. */
    Map<Version, UnitLearned> versions() {
        return versions;
    }

    /** What became of mental models: each was set, or removed. */
    Map<Key, MemoryEvent> models() {
        return models;
    }

    /** Reflections that are found by later questions. */
    Map<Key, Answer> reflections() {
        return reflections;
    }

    /** What earlier reflections do not stand on any more. */
    Map<Key, MemoryEvent> shaken() {
        return shaken;
    }

    Iterable<Linked> links() {
        return links.values();
    }

    /** Chunks that were read, of documents that still say so. */
    Map<Read, PassagesEmbedded> read() {
        return read;
    }

    /** Takes in the next event. */
    void add(UUID bank, MemoryEvent event) {
        banks.put(bank, event);
        switch (event) {
            case BankChanged e -> profiles.put(bank, e);
            case DocumentRetained e -> {
                retained(new Key(bank, e.document().id()), e);
                shake(bank, e.document().id(), e);
            }
            case PassagesEmbedded e -> read.put(new Read(new Key(bank, e.docId()), e.chunk()), e);
            case UnitLearned e -> learned(bank, e);
            case UnitRetired e -> {
                retired.put(new Key(bank, e.unitId()), e);
                shake(bank, e.unitId(), e);
            }
            case Reflected e
            when e.isFound() -> {
                reflections.put(new Key(bank, e.id()), new Answer(e, true));
                embedded.remove(new Key(bank, e.id())); // it says something else
            }
            case MentalModelSet e -> models.put(new Key(bank, e.model().id()), e);
            case MentalModelRemoved e -> models.put(new Key(bank, e.modelId()), e);
            case DirectiveSet e -> directives.put(new Key(bank, e.directive().id()), e);
            case DirectiveRemoved e -> directives.put(new Key(bank, e.directiveId()), e);
            case UnitEmbedded e -> {
                embedded.put(new Key(bank, e.unitId()), e);
                vectors.merge(
                        new Key(bank, e.unitId()), new Counted(e.meta().bank().host(), 1), Counted::plus);
            }
            case FactsExtracted _,
                    Consolidated _,
                    Reflected _,
                    GenerationChanged _,
                    Forgotten _,
                    BankLimited _,
                    BranchBegun _,
                    Branched _ -> {} // no row, fewer, or all
        }
    }

    private void shake(UUID bank, UUID source, MemoryEvent event) {
        shaken.put(new Key(bank, source), event);
        reflections.replaceAll((key, answer) ->
                key.bank().equals(bank) && answer.event().sources().contains(source)
                        ? new Answer(answer.event(), false)
                        : answer);
    }

    /** A chunk that it does not have any more is read anew when it comes back. */
    private void retained(Key key, DocumentRetained event) {
        documents.put(key, event);
        List<String> hashes =
                event.document().chunks().stream().map(Document.Piece::hash).toList();
        read.keySet().removeIf(chunk -> chunk.document().equals(key) && !hashes.contains(chunk.chunk()));
    }

    private void learned(UUID bank, UnitLearned event) {
        var key = new Key(bank, event.unit().id());
        learned.put(key, event);
        if (event.unit().type() == FactType.OPINION || event.unit().type() == FactType.MENTAL_MODEL) {
            versions.put(new Version(key, event.unit().version()), event);
        }
        retired.remove(key); // it is true again
        embedded.remove(key); // and may say something else
        for (Link link : event.links()) {
            links.put(new Ends(bank, link.from(), link.to(), link.type()), new Linked(bank, event.meta(), link));
        }
    }
}
