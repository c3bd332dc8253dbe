package dev.parley.memory.bank;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankView.Neighbour;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Document.Piece;
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
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.memory.machine.Passages;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import dev.parley.memory.search.MessagePosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maintains the index of a bank from its events: each passage and unit can be found as soon as it is known. */
final class Indexing {
    private final Index index;
    private final BankMemory memory;
    /** The passages of each chunk of each document, by hash of the chunk. */
    private final Map<UUID, Map<String, List<String>>> passages = new HashMap<>();

    /** The source of the units found in each document. */
    private final Map<UUID, String> sources = new HashMap<>();

    Indexing(Index index, BankMemory memory) {
        this.index = index;
        this.memory = memory;
    }

    /** Finds units by embedding. */
    List<Neighbour> nearest(Vector vector, String generation, FactType type, double floor, int limit) {
        return index.nearest(new Embedding(generation, vector.values()), type, floor, limit).stream()
                .map(neighbour -> new Neighbour(Ids.parse(neighbour.id()), neighbour.similarity()))
                .toList();
    }

    /** Applies an event, before the memory of the bank does. */
    void apply(MemoryEvent event) {
        switch (event) {
            case DocumentRetained e -> applyRetained(e.document(), e.meta().at());
            case PassagesEmbedded e -> applyEmbedded(e);
            case UnitLearned e -> applyLearned(e);
            case UnitEmbedded e -> applyEmbedded(e);
            case GenerationChanged e -> applyGenerationChanged(e);
            case UnitRetired e -> applyRetired(e);
            case Reflected e -> applyReflected(e);
            case Forgotten e -> applyForgotten(e);
            case BankChanged _,
                    DirectiveSet _,
                    DirectiveRemoved _,
                    MentalModelSet _,
                    MentalModelRemoved _,
                    FactsExtracted _,
                    Consolidated _,
                    BankLimited _,
                    BranchBegun _,
                    Branched _ -> {} // no effect on the index
        }
    }

    private void applyRetained(Document document, Instant time) {
        stale(document.id(), time); // a reflection may cite its previous text
        Map<String, List<String>> before = passages.getOrDefault(document.id(), Map.of());
        var current = new HashMap<String, List<String>>();
        for (Piece chunk : document.chunks()) {
            if (!current.containsKey(chunk.hash())) {
                List<String> existing = before.get(chunk.hash());
                current.put(chunk.hash(), existing == null ? indexPassages(document, chunk, time) : existing);
            }
        }
        before.forEach((chunk, ids) -> {
            if (!current.containsKey(chunk)) {
                ids.forEach(index::remove);
            }
        });
        passages.put(document.id(), current);
        sources.put(document.id(), source(document));
    }

    private List<String> indexPassages(Document document, Piece chunk, Instant time) {
        Utterance saying = document.sayings().get(chunk.saying());
        var ids = new ArrayList<String>();
        for (String passage : Passages.of(document.text(chunk))) {
            String id = Passages.id(document.id(), chunk.hash(), ids.size());
            index.put(Item.of(id, ItemKind.TURN, saying.type(), passage, time)
                    .withContext(document.context() == null ? saying.speaker() : document.context())
                    .from(source(document), messagePosition(document, chunk))
                    .at(null, document.mentionedAt())
                    .withTags(Set.copyOf(document.tags())));
            ids.add(id);
        }
        return List.copyOf(ids);
    }

    private static String source(Document document) {
        return String.valueOf(document.turnId() == null ? document.id() : document.turnId());
    }

    /** User and assistant messages are consecutive; tool results have no position. */
    private static @Nullable MessagePosition messagePosition(Document document, Piece chunk) {
        if (document.session() == null || document.turnSeq() == null || chunk.saying() > 1) {
            return null;
        }
        return new MessagePosition(document.session().toString(), 2 * document.turnSeq() + chunk.saying());
    }

    private void applyEmbedded(PassagesEmbedded event) {
        List<String> ids = passages.getOrDefault(event.docId(), Map.of()).getOrDefault(event.chunk(), List.of());
        for (int i = 0; i < Math.min(ids.size(), event.vectors().size()); i++) {
            index.embed(ids.get(i), meaning(event.generation(), event.vectors().get(i)));
        }
    }

    private static Embedding meaning(String generation, Vector vector) {
        return new Embedding(generation, vector.values());
    }

    private void applyLearned(UnitLearned event) {
        put(item(event), event.unit());
        for (Link link : event.links()) {
            if (link.type() != LinkType.TEMPORAL) { // the index computes temporal links from dates
                index.link(link.from().toString(), link.to().toString(), link.type(), link.weight());
            }
        }
    }

    private void put(Item item, Unit unit) {
        put(item, unit.generation(), unit.vector());
    }

    private void put(Item item, @Nullable String generation, @Nullable Vector vector) {
        if (vector == null || generation == null) {
            index.put(item);
        } else {
            index.put(item, meaning(generation, vector));
        }
    }

    private Item item(UnitLearned event) {
        Unit unit = event.unit();
        String source = unit.docId() == null ? null : sources.get(unit.docId());
        return Item.of(
                        unit.id().toString(),
                        ItemKind.UNIT,
                        unit.type(),
                        unit.text(),
                        event.meta().at())
                .withContext(unit.context())
                .from(source, null)
                .at(unit.occurred(), unit.mentionedAt())
                .withEntities(event.mentions().stream()
                        .map(mention -> mention.entity().toString())
                        .toList())
                .withTags(Set.copyOf(unit.tags()))
                .withProofCount(unit.proofCount());
    }

    private void applyEmbedded(UnitEmbedded event) {
        index.embed(event.unitId().toString(), event.since(), meaning(event.generation(), event.vector()));
    }

    private void applyRetired(UnitRetired event) {
        index.retire(event.unitId().toString(), event.meta().at());
        stale(event.unitId(), event.meta().at());
    }

    private void applyGenerationChanged(GenerationChanged event) {
        Set<String> retained = Stream.concat(Stream.of(event.current()), Stream.ofNullable(event.other()))
                .collect(Collectors.toSet());
        memory.generations().stream()
                .filter(generation -> !retained.contains(generation))
                .forEach(index::dropGeneration);
        index.search(event.current(), event.meta().at());
    }

    private void applyReflected(Reflected event) {
        if (event.isFound()) {
            put(item(event), event.generation(), event.vector());
        }
    }

    private static Item item(Reflected event) {
        return Item.of(
                        event.id().toString(),
                        ItemKind.REFLECTION,
                        null,
                        event.answer(),
                        event.meta().at())
                .withContext(event.question())
                .at(null, event.meta().at())
                .withTags(Set.copyOf(event.tags()))
                .withProofCount(event.basedOn().size());
    }

    /** Reflections that rest on a superseded source are only found by queries as of an earlier time. */
    private void stale(UUID source, Instant time) {
        for (UUID id : memory.reflectionsOn(source)) {
            memory.reflection(id).ifPresent(event -> {
                put(item(event).withKnownUntil(latest(time, event.meta().at())), event.generation(), event.vector());
                memory.embeddingsOf(id).forEach(this::applyEmbedded);
            });
        }
    }

    /** Clocks of processes differ: nothing ends before it begins. */
    private static Instant latest(Instant first, Instant second) {
        return first.isBefore(second) ? second : first;
    }

    private void applyForgotten(Forgotten event) {
        if (event.whole()) {
            index.clear();
            passages.clear();
            sources.clear();
            return;
        }
        for (UUID document : event.documents()) {
            passages.getOrDefault(document, Map.of()).values().forEach(ids -> ids.forEach(index::remove));
            passages.remove(document);
            sources.remove(document);
        }
        event.units().forEach(unit -> index.remove(unit.toString()));
    }
}
