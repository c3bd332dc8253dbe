package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.MemoryEvent.BankChanged;
import dev.parley.domain.memory.MemoryEvent.BankLimited;
import dev.parley.domain.memory.MemoryEvent.BranchBegun;
import dev.parley.domain.memory.MemoryEvent.Branched;
import dev.parley.domain.memory.MemoryEvent.DirectiveRemoved;
import dev.parley.domain.memory.MemoryEvent.DirectiveSet;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a bank knows, as far as it is needed to decide: which documents and units there are, and in which events they stand. It
 * follows from the events alone, which hold the texts. Not for several threads.
 */
public final class BankMemory {
    private final LongFunction<MemoryEvent> events;
    private final Map<UUID, Held> documents = new HashMap<>();
    private final Map<RecordKey, Set<UUID>> sessions = new HashMap<>();
    private final Map<UUID, Known> units = new HashMap<>();
    /** Units that are made of others, by those. */
    private final Map<UUID, Set<UUID>> made = new HashMap<>();

    private final Map<FactType, NavigableSet<Dated>> dates = new EnumMap<>(FactType.class);
    private final KnownEntities entities = new KnownEntities();
    /** The generation that is searched, or null before the first vector. */
    private @Nullable String generation;

    private List<String> generations = List.of();
    private long bytes;

    /**
     * A document, and the events that hold it: the last one as it is now.
     *
     * @param bytes of all its versions
     */
    private record Held(
            UUID id, @Nullable RecordKey session, String hash, long bytes, List<Long> events, Set<UUID> units) {}

    /**
     * A unit, and the events that hold it: the last one as it is now.
     *
     * @param sources of all its versions: what is erased must be erased in the earlier ones too
     * @param mentions those that it counts for: what is made of others was not said once more
     * @param embedded numbers of the events with vectors of its text as it is now, by their generation, besides the one that it was learned with
     */
    private record Known(
            UUID id,
            @Nullable UUID docId,
            @Nullable String chunk,
            Dated dated,
            FactType type,
            boolean retired,
            List<UUID> sources,
            List<UUID> mentions,
            Map<String, Long> embedded,
            List<Long> events) {

        /** With one more event, before the one that has its text. */
        Known and(boolean isRetired, Map<String, Long> nowEmbedded, long seq) {
            var numbers = new ArrayList<>(events);
            numbers.addFirst(seq);
            return new Known(
                    id, docId, chunk, dated, type, isRetired, sources, mentions, nowEmbedded, List.copyOf(numbers));
        }
    }

    /** A unit, and its date. */
    public record Dated(Instant date, UUID unit) implements Comparable<Dated> {
        private static final Comparator<Dated> ORDER =
                Comparator.comparing(Dated::date).thenComparing(Dated::unit);

        @Override
        public int compareTo(Dated other) {
            return ORDER.compare(this, other);
        }
    }

    /** @param events the bank's events by their numbers; it is asked for those that were applied and not erased */
    public BankMemory(LongFunction<MemoryEvent> events) {
        this.events = events;
    }

    // ---- what it knows

    /** The document of this id, as it is now. */
    public Optional<Document> document(UUID id) {
        return Optional.ofNullable(documents.get(id)).map(held -> ((DocumentRetained) event(held.events())).document());
    }

    /** Whether there is a unit of this id, also one that is held to be true no more. */
    public boolean knows(UUID unit) {
        return units.containsKey(unit);
    }

    /** Whether the unit of this id is held to be true. */
    public boolean holds(UUID unit) {
        Known known = units.get(unit);
        return known != null && !known.retired();
    }

    /** What kind of thing a unit is; empty where there is none of this id. */
    Optional<FactType> typeOf(UUID unit) {
        return Optional.ofNullable(units.get(unit)).map(Known::type);
    }

    /**
     * The unit of this id as it is now, with whom it is about; also one that is held to be true no more. Its vector is of the generation
     * that is searched, or it has none.
     */
    public Optional<UnitLearned> unit(UUID id) {
        return Optional.ofNullable(units.get(id)).map(this::asSearched);
    }

    private UnitLearned asSearched(Known known) {
        var learned = (UnitLearned) event(known.events());
        String its = learned.unit().generation();
        if (its == null || generation == null || its.equals(generation)) {
            return learned;
        }
        Long number = known.embedded().get(generation);
        Unit unit = number == null
                ? learned.unit().meaning(null, null)
                : learned.unit().meaning(generation, ((UnitEmbedded) events.apply(number)).vector());
        return new UnitLearned(learned.meta(), unit, learned.mentions(), learned.links(), learned.reason());
    }

    private MemoryEvent event(List<Long> numbers) {
        return events.apply(numbers.getLast());
    }

    /** The generations of which it has vectors. */
    public List<String> generations() {
        return generations;
    }

    /** Ids of all units, also of those that are held to be true no more. */
    public Set<UUID> units() {
        return Set.copyOf(units.keySet());
    }

    /** Bytes of its documents, in all their versions. */
    public long bytes() {
        return bytes;
    }

    /** How many units there are, also of those that are held to be true no more. */
    public long known() {
        return units.size();
    }

    /** How many units it holds to be true. */
    public long size() {
        return dates.values().stream().mapToLong(Set::size).sum();
    }

    /** Ids of the documents of a session. */
    public Set<UUID> documentsOf(RecordKey session) {
        return Set.copyOf(sessions.getOrDefault(session, Set.of()));
    }

    /** Ids of the units that were found in a document. */
    public Set<UUID> unitsOf(UUID docId) {
        Held held = documents.get(docId);
        return held == null ? Set.of() : Set.copyOf(held.units());
    }

    /** Ids of the units that were found in this chunk of a document and are held to be true. */
    public List<UUID> unitsOf(UUID docId, String chunk) {
        return unitsOf(docId).stream()
                .filter(id -> {
                    Known unit = units.get(id);
                    return unit != null && !unit.retired() && chunk.equals(unit.chunk());
                })
                .sorted()
                .toList();
    }

    /** Ids of the units that are made of this one, or were in an earlier version, whose text may still be its own. */
    public Set<UUID> madeOf(UUID unit) {
        return Set.copyOf(made.getOrDefault(unit, Set.of()));
    }

    /** Numbers of the events that hold a document or a unit. */
    public List<Long> eventsOf(UUID id) {
        return Stream.of(
                        Optional.ofNullable(documents.get(id)).map(Held::events),
                        Optional.ofNullable(units.get(id)).map(Known::events))
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .toList();
    }

    /** Numbers of all events that hold a document or a unit. */
    public Set<Long> allEvents() {
        var all = new TreeSet<Long>();
        documents.values().forEach(held -> all.addAll(held.events()));
        units.values().forEach(known -> all.addAll(known.events()));
        return all;
    }

    /** The people and things that it knows. */
    public KnownEntities entities() {
        return entities;
    }

    /** The units of a type whose date is nearest, so many before it and so many from it on. */
    public List<Dated> around(Instant date, FactType type, int each) {
        NavigableSet<Dated> all = dates.get(type);
        if (all == null) {
            return List.of();
        }
        var here = new Dated(date, new UUID(0, 0));
        return Stream.concat(
                        all.headSet(here, false).descendingSet().stream().limit(each),
                        all.tailSet(here, true).stream().limit(each))
                .toList();
    }

    // ---- what happens

    /** Takes in what happened, in the order of the events' numbers. */
    public void apply(MemoryEvent event) {
        long seq = event.meta().seq();
        switch (event) {
            case DocumentRetained e -> retained(e.document(), seq);
            case FactsExtracted e -> held(e.docId(), seq);
            case PassagesEmbedded e -> held(e.docId(), seq);
            case UnitLearned e -> learned(e);
            case UnitEmbedded e -> embedded(e);
            case GenerationChanged e -> {
                generation = e.current();
                generations = e.other() == null ? List.of(e.current()) : List.of(e.current(), e.other());
            }
            case UnitRetired e -> retired(e.unitId(), seq);
            case Forgotten e -> forgotten(e);
            case BankChanged _,
                    DirectiveSet _,
                    DirectiveRemoved _,
                    BankLimited _,
                    BranchBegun _,
                    Branched _ -> {} // they stand in the bank's state
        }
    }

    private void retained(Document document, long seq) {
        Held before = documents.get(document.id());
        List<Long> numbers = with(before == null ? List.of() : before.events(), seq);
        Set<UUID> found = before == null ? new LinkedHashSet<>() : before.units();
        long its = document.bytes();
        bytes += its;
        documents.put(
                document.id(),
                new Held(
                        document.id(),
                        document.session(),
                        document.contentHash(),
                        its + (before == null ? 0 : before.bytes()),
                        numbers,
                        found));
        if (document.session() != null) {
            sessions.computeIfAbsent(document.session(), _ -> new LinkedHashSet<>())
                    .add(document.id());
        }
    }

    /** The document's own event stays the last one: it has the text. */
    private void held(UUID docId, long seq) {
        Held held = documents.get(docId);
        if (held != null) {
            var numbers = new ArrayList<>(held.events());
            numbers.addFirst(seq);
            documents.put(
                    docId,
                    new Held(docId, held.session(), held.hash(), held.bytes(), List.copyOf(numbers), held.units()));
        }
    }

    private static List<Long> with(List<Long> numbers, long seq) {
        return Stream.concat(numbers.stream(), Stream.of(seq)).toList();
    }

    private void learned(UnitLearned event) {
        Unit unit = event.unit();
        Known before = units.get(unit.id());
        if (before != null) {
            drop(before);
        }
        List<Mention> said = unit.sources().isEmpty() ? event.mentions() : List.of();
        List<UUID> sources = before == null
                ? unit.sources()
                : Stream.concat(before.sources().stream(), unit.sources().stream())
                        .distinct()
                        .toList();
        var known = new Known(
                unit.id(),
                unit.docId(),
                unit.provenance() == null ? null : unit.provenance().chunk(),
                new Dated(unit.date(), unit.id()),
                unit.type(),
                false,
                sources,
                said.stream().map(Mention::entity).toList(),
                Map.of(),
                with(before == null ? List.of() : before.events(), event.meta().seq()));
        units.put(unit.id(), known);
        dates.computeIfAbsent(unit.type(), _ -> new TreeSet<>()).add(known.dated());
        sources.forEach(source ->
                made.computeIfAbsent(source, _ -> new LinkedHashSet<>()).add(unit.id()));
        Held held = unit.docId() == null ? null : documents.get(unit.docId());
        if (held != null) {
            held.units().add(unit.id());
        }
        entities.mentioned(said, unit.date());
    }

    private void retired(UUID id, long seq) {
        Known known = units.get(id);
        if (known != null) {
            dated(known.type()).remove(known.dated());
            units.put(id, known.and(true, known.embedded(), seq));
        }
    }

    /** A vector of an earlier text of the unit is only kept to be erased with it. */
    private void embedded(UnitEmbedded event) {
        Known known = units.get(event.unitId());
        if (known != null) {
            var embedded = new HashMap<>(known.embedded());
            if (event.learned() == known.events().getLast()) {
                embedded.put(event.generation(), event.meta().seq());
            }
            units.put(
                    known.id(),
                    known.and(
                            known.retired(), Map.copyOf(embedded), event.meta().seq()));
        }
    }

    private Collection<Dated> dated(FactType type) {
        return dates.getOrDefault(type, new TreeSet<>());
    }

    private void drop(Known known) {
        dated(known.type()).remove(known.dated());
        known.sources()
                .forEach(source ->
                        made.getOrDefault(source, new LinkedHashSet<>()).remove(known.id()));
        entities.unmentioned(known.mentions());
    }

    private void forgotten(Forgotten event) {
        if (event.whole()) {
            documents.clear();
            sessions.clear();
            units.clear();
            made.clear();
            dates.clear();
            entities.clear();
            bytes = 0;
            return;
        }
        event.units().forEach(id -> {
            Known known = units.remove(id);
            if (known != null) {
                drop(known);
                made.remove(id);
                Held held = known.docId() == null ? null : documents.get(known.docId());
                if (held != null) {
                    held.units().remove(id);
                }
            }
        });
        event.documents().forEach(id -> {
            Held held = documents.remove(id);
            bytes -= held == null ? 0 : held.bytes();
            if (held != null && held.session() != null) {
                sessions.getOrDefault(held.session(), new LinkedHashSet<>()).remove(id);
            }
        });
    }

    /** Whether a document of this id says the same. */
    boolean says(UUID docId, String contentHash) {
        Held held = documents.get(docId);
        return held != null && held.hash().equals(contentHash);
    }

    /** The hashes of the chunks of a document. */
    List<String> chunksOf(UUID docId) {
        return document(docId).stream()
                .flatMap(document -> document.chunks().stream())
                .map(Piece::hash)
                .toList();
    }
}
