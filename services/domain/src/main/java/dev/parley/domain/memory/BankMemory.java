package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.Document.Piece;
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
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.Consolidation.Theme;
import java.time.Instant;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * In-memory index of a bank for decisions: its documents, units and reflections, with the numbers of the events that
 * contain them. Derived from the events, which contain the texts. Not thread-safe. It is long because one event changes
 * several of its maps.
 */
public final class BankMemory {
    private final LongFunction<MemoryEvent> events;
    private final Map<UUID, Held> documents = new HashMap<>();
    private final Map<RecordKey, Set<UUID>> sessions = new HashMap<>();
    private final Map<UUID, Known> units = new HashMap<>();
    private final Map<UUID, Kept> reflections = new HashMap<>();
    /** Events without document, unit or reflection; erased with the whole bank. */
    private final Set<Long> others = new TreeSet<>();
    /** Derived units and reflections, by source. */
    private final Map<UUID, Set<UUID>> made = new HashMap<>();

    private final Map<FactType, NavigableSet<Dated>> dates = new EnumMap<>(FactType.class);
    /** Active facts about attributes that have one value at a time. */
    private final Map<Theme, NavigableSet<Dated>> themes = new HashMap<>();

    private final KnownEntities entities = new KnownEntities();
    /** The searched embedding generation, or null before the first vector. */
    private @Nullable String generation;

    private List<String> generations = List.of();
    private long bytes;
    /** Expiry times of documents. */
    private final NavigableSet<Dated> expiring = new TreeSet<>();

    /**
     * A document and the events that contain it, the current version last. What a model extracted from a chunk is part
     * of its reading.
     *
     * @param sessions of all versions
     * @param bytes of all versions
     * @param forgetAt expiry, or null
     */
    private record Held(
            UUID id,
            Set<RecordKey> sessions,
            @Nullable UUID turn,
            String hash,
            long bytes,
            @Nullable Instant forgetAt,
            List<Long> events,
            Map<String, List<Long>> readings,
            Set<UUID> units) {

        Held in(List<Long> numbers) {
            return new Held(id, sessions, turn, hash, bytes, forgetAt, numbers, readings, units);
        }
    }

    /**
     * A unit and the events that contain it, the current version last.
     *
     * @param sources of all versions: erasure covers earlier versions, too
     * @param mentions counted for entities; those of derived units are not, as they add no occurrence
     * @param theme of a fact about an attribute that has one value at a time, or null
     * @param embedded numbers of the events with further vectors of the current text, by generation
     */
    private record Known(
            UUID id,
            @Nullable UUID docId,
            @Nullable String chunk,
            Dated dated,
            FactType type,
            boolean retired,
            List<UUID> sources,
            List<Mention> mentions,
            @Nullable Theme theme,
            Map<String, Long> embedded,
            List<Long> events) {

        /** With another event, before the one that contains the text. */
        Known and(boolean isRetired, Map<String, Long> nowEmbedded, long seq) {
            return new Known(
                    id,
                    docId,
                    chunk,
                    dated,
                    type,
                    isRetired,
                    sources,
                    mentions,
                    theme,
                    nowEmbedded,
                    before(events, seq));
        }
    }

    /**
     * A reflection and the events that contain it, the current version last.
     *
     * @param sessions in which it was asked, in any version
     * @param basedOn cited units and documents
     * @param seen all evidence, in any version
     * @param embedded numbers of the events with further vectors of the current text, by generation
     * @param stale whether something cited has been retired
     */
    private record Kept(
            UUID id,
            Set<RecordKey> sessions,
            List<UUID> basedOn,
            List<UUID> seen,
            Map<String, Long> embedded,
            boolean stale,
            List<Long> events) {
        Kept asStale() {
            return new Kept(id, sessions, basedOn, seen, embedded, true, events);
        }

        /** With another event, before the one that contains the text. */
        Kept and(Map<String, Long> nowEmbedded, long seq) {
            return new Kept(id, sessions, basedOn, seen, nowEmbedded, stale, before(events, seq));
        }
    }

    /** A unit with its date. */
    public record Dated(Instant date, UUID unit) implements Comparable<Dated> {
        private static final Comparator<Dated> ORDER =
                Comparator.comparing(Dated::date).thenComparing(Dated::unit);

        @Override
        public int compareTo(Dated other) {
            return ORDER.compare(this, other);
        }
    }

    /** @param events reads the bank's events by number; only called for events that were applied and not erased */
    public BankMemory(LongFunction<MemoryEvent> events) {
        this.events = events;
    }

    // ---- queries

    /** The current version of this document. */
    public Optional<Document> document(UUID id) {
        return Optional.ofNullable(documents.get(id)).map(held -> ((DocumentRetained) event(held.events())).document());
    }

    /** Whether there is such a unit, active or retired. */
    public boolean knows(UUID unit) {
        return units.containsKey(unit);
    }

    /** Whether there is such a unit and it is active. */
    public boolean holds(UUID unit) {
        Known known = units.get(unit);
        return known != null && !known.retired();
    }

    /** The type of a unit; empty if there is none with this id. */
    Optional<FactType> typeOf(UUID unit) {
        return Optional.ofNullable(units.get(unit)).map(Known::type);
    }

    /**
     * The current version of this unit with its mentions, active or retired. Its vector is of the searched generation,
     * or missing.
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
        return new UnitLearned(
                learned.meta(), unit, learned.mentions(), learned.links(), learned.reason(), learned.maker());
    }

    private MemoryEvent event(List<Long> numbers) {
        return events.apply(numbers.getLast());
    }

    /** The generations of its vectors. */
    public List<String> generations() {
        return generations;
    }

    /** Ids of all units, including retired ones. */
    public Set<UUID> units() {
        return Set.copyOf(units.keySet());
    }

    /** Bytes of all documents, in all their versions. */
    public long bytes() {
        return bytes;
    }

    /** Number of units, including retired ones. */
    public long known() {
        return units.size();
    }

    /** Number of active units. */
    public long size() {
        return dates.values().stream().mapToLong(Set::size).sum();
    }

    /** Ids of a session's documents. */
    public Set<UUID> documentsOf(RecordKey session) {
        return Set.copyOf(sessions.getOrDefault(session, Set.of()));
    }

    /** Ids of a turn's documents. */
    public List<UUID> documentsOfTurn(UUID turn) {
        return documents.values().stream()
                .filter(held -> turn.equals(held.turn()))
                .map(Held::id)
                .sorted()
                .toList();
    }

    /** Ids of expired documents, earliest expiry first. */
    List<UUID> expired(Instant now, int most) {
        return expiring.stream()
                .takeWhile(one -> !one.date().isAfter(now))
                .limit(most)
                .map(Dated::unit)
                .toList();
    }

    /** The next expiry of a document other than these. */
    Optional<Instant> nextExpiry(Set<UUID> but) {
        return expiring.stream()
                .filter(one -> !but.contains(one.unit()))
                .map(Dated::date)
                .findFirst();
    }

    /** Ids of the units extracted from a document. */
    public Set<UUID> unitsOf(UUID docId) {
        Held held = documents.get(docId);
        return held == null ? Set.of() : Set.copyOf(held.units());
    }

    /** Ids of the active units extracted from this chunk of a document. */
    public List<UUID> unitsOf(UUID docId, String chunk) {
        return unitsOf(docId).stream()
                .filter(id -> {
                    Known unit = units.get(id);
                    return unit != null && !unit.retired() && chunk.equals(unit.chunk());
                })
                .sorted()
                .toList();
    }

    /**
     * Ids of the units and reflections derived from a unit or a document in any version, so that their text may contain
     * its text.
     */
    public Set<UUID> madeOf(UUID unit) {
        return Set.copyOf(made.getOrDefault(unit, Set.of()));
    }

    /** Whether there is a reflection with this id. */
    public boolean hasReflection(UUID id) {
        return reflections.containsKey(id);
    }

    /** The current version of this reflection; empty if there is none, or it is stale. */
    public Optional<Reflected> reflection(UUID id) {
        return Optional.ofNullable(reflections.get(id))
                .filter(kept -> !kept.stale())
                .map(kept -> (Reflected) event(kept.events()));
    }

    /** Further vectors of the current version of a reflection, of existing generations. */
    public List<UnitEmbedded> embeddingsOf(UUID reflection) {
        return Optional.ofNullable(reflections.get(reflection)).map(Kept::embedded).orElse(Map.of()).entrySet().stream()
                .filter(entry -> generations.contains(entry.getKey()))
                .map(entry -> (UnitEmbedded) events.apply(entry.getValue()))
                .toList();
    }

    /** The answer to a command, even if the question was asked again later. */
    Optional<Reflected> reflection(UUID id, UUID commandId) {
        return eventsOf(id).stream()
                .map(events::apply)
                .filter(Reflected.class::isInstance)
                .map(Reflected.class::cast)
                .filter(event -> commandId.equals(event.meta().commandId()))
                .findFirst();
    }

    /** Ids of the reflections that cite a unit or a document and are not stale. */
    public List<UUID> reflectionsOn(UUID source) {
        return madeOf(source).stream()
                .filter(id -> {
                    Kept kept = reflections.get(id);
                    return kept != null && !kept.stale() && kept.basedOn().contains(source);
                })
                .sorted()
                .toList();
    }

    public Set<UUID> reflections() {
        return Set.copyOf(reflections.keySet());
    }

    /** Ids of the reflections asked in a session. */
    public Set<UUID> reflectionsIn(RecordKey session) {
        return reflections.values().stream()
                .filter(kept -> kept.sessions().contains(session))
                .map(Kept::id)
                .collect(Collectors.toSet());
    }

    /** Numbers of the events that contain a document, a unit or a reflection. */
    public List<Long> eventsOf(UUID id) {
        return Stream.of(
                        Optional.ofNullable(documents.get(id)).map(Held::events),
                        Optional.ofNullable(documents.get(id))
                                .map(held -> held.readings().values().stream()
                                        .flatMap(List::stream)
                                        .toList()),
                        Optional.ofNullable(units.get(id)).map(Known::events),
                        Optional.ofNullable(units.get(id)).map(this::readings),
                        Optional.ofNullable(reflections.get(id)).map(Kept::events))
                .flatMap(Optional::stream)
                .flatMap(Collection::stream)
                .toList();
    }

    /** Events of all extractions of a unit's chunk: they contain its text. */
    private List<Long> readings(Known unit) {
        Held held = unit.docId() == null ? null : documents.get(unit.docId());
        return held == null ? List.of() : held.readings().getOrDefault(unit.chunk(), List.of());
    }

    /** Numbers of all events that contain a document, unit, profile or directive. */
    public Set<Long> allEvents() {
        var all = new TreeSet<>(others);
        documents.values().forEach(held -> {
            all.addAll(held.events());
            held.readings().values().forEach(all::addAll);
        });
        units.values().forEach(known -> all.addAll(known.events()));
        reflections.values().forEach(kept -> all.addAll(kept.events()));
        return all;
    }

    /** The entities of the bank. */
    public KnownEntities entities() {
        return entities;
    }

    /** The units of a type nearest to a date: up to {@code each} before it, and from it on. */
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

    /** Active facts of this theme, newest first. */
    List<UUID> ofTheme(Theme theme, int most) {
        NavigableSet<Dated> all = themes.get(theme);
        return all == null
                ? List.of()
                : all.descendingSet().stream().map(Dated::unit).limit(most).toList();
    }

    // ---- updates

    /** Applies an event, in the order of the events' numbers. */
    public void apply(MemoryEvent event) {
        long seq = event.meta().seq();
        switch (event) {
            case DocumentRetained e -> retained(e.document(), seq);
            case FactsExtracted e -> read(e);
            case PassagesEmbedded e -> held(e.docId(), seq);
            case UnitLearned e -> learned(e);
            case UnitRetired e -> {
                retired(e.unitId(), seq);
                stale(e.unitId());
            }
            case Reflected e when e.made() != null -> others.add(seq);
            case Reflected e -> reflected(e);
            case UnitEmbedded e -> embedded(e);
            case GenerationChanged e -> {
                generation = e.current();
                generations = e.other() == null ? List.of(e.current()) : List.of(e.current(), e.other());
            }
            case Forgotten e -> forgotten(e);
            case BankLimited _, BranchBegun _, Branched _, Consolidated _ -> {} // they hold no words
            case BankChanged _, DirectiveSet _, DirectiveRemoved _, MentalModelSet _, MentalModelRemoved _ ->
                others.add(seq); // what they say stands in the bank's state
        }
    }

    private void retained(Document document, long seq) {
        Held before = documents.get(document.id());
        if (before != null) {
            stale(document.id()); // its passages may say something else
            keep(before);
        }
        List<Long> numbers = with(before == null ? List.of() : before.events(), seq);
        Map<String, List<Long>> readings = before == null ? new HashMap<>() : before.readings();
        Set<UUID> found = before == null ? new LinkedHashSet<>() : before.units();
        long its = document.bytes();
        bytes += its;
        documents.put(
                document.id(),
                new Held(
                        document.id(),
                        and(before == null ? Set.of() : before.sessions(), document.session()),
                        document.turnId(),
                        document.contentHash(),
                        its + (before == null ? 0 : before.bytes()),
                        document.forgetAt(),
                        numbers,
                        readings,
                        found));
        if (document.forgetAt() != null) {
            expiring.add(new Dated(document.forgetAt(), document.id()));
        }
        if (document.session() != null) {
            sessions.computeIfAbsent(document.session(), _ -> new LinkedHashSet<>())
                    .add(document.id());
        }
    }

    /** Cancels an expiry. */
    private void keep(Held held) {
        if (held.forgetAt() != null) {
            expiring.remove(new Dated(held.forgetAt(), held.id()));
        }
    }

    /** The document's own event stays last: it contains the text. */
    private void held(UUID docId, long seq) {
        Held held = documents.get(docId);
        if (held != null) {
            documents.put(docId, held.in(before(held.events(), seq)));
        }
    }

    private void read(FactsExtracted event) {
        Held held = documents.get(event.docId());
        if (held != null) {
            held.readings()
                    .merge(
                            event.chunk(),
                            List.of(event.meta().seq()),
                            (before, now) ->
                                    Stream.concat(before.stream(), now.stream()).toList());
        }
    }

    private static List<Long> before(List<Long> numbers, long seq) {
        return Stream.concat(Stream.of(seq), numbers.stream()).toList();
    }

    private static Set<RecordKey> and(Set<RecordKey> sessions, @Nullable RecordKey one) {
        return Stream.concat(sessions.stream(), Stream.ofNullable(one)).collect(Collectors.toUnmodifiableSet());
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
                said,
                theme(event).orElse(null),
                Map.of(),
                with(before == null ? List.of() : before.events(), event.meta().seq()));
        units.put(unit.id(), known);
        dates.computeIfAbsent(unit.type(), _ -> new TreeSet<>()).add(known.dated());
        if (known.theme() != null) {
            themes.computeIfAbsent(known.theme(), _ -> new TreeSet<>()).add(known.dated());
        }
        sources.forEach(source ->
                made.computeIfAbsent(source, _ -> new LinkedHashSet<>()).add(unit.id()));
        Held held = unit.docId() == null ? null : documents.get(unit.docId());
        if (held != null) {
            held.units().add(unit.id());
        }
        entities.mentioned(said, unit.date());
    }

    /** The attribute that a fact is about, if it has one value at a time. */
    static Optional<Theme> theme(UnitLearned event) {
        return event.unit().type() == FactType.WORLD
                ? Consolidation.theme(
                        event.unit().text(),
                        event.mentions().stream().map(Mention::name).toList())
                : Optional.empty();
    }

    private void retired(UUID id, long seq) {
        Known known = units.get(id);
        if (known != null) {
            undate(known);
            units.put(id, known.and(true, known.embedded(), seq));
        }
    }

    private void embedded(UnitEmbedded event) {
        long seq = event.meta().seq();
        units.computeIfPresent(
                event.unitId(),
                (_, known) -> known.and(known.retired(), embedded(known.embedded(), known.events(), event), seq));
        reflections.computeIfPresent(
                event.unitId(), (_, kept) -> kept.and(embedded(kept.embedded(), kept.events(), event), seq));
    }

    /** A vector of an earlier text is kept only to be erased with it. */
    private static Map<String, Long> embedded(Map<String, Long> before, List<Long> events, UnitEmbedded event) {
        if (event.learned() != events.getLast()) {
            return before;
        }
        var embedded = new HashMap<>(before);
        embedded.put(event.generation(), event.meta().seq());
        return Map.copyOf(embedded);
    }

    private void reflected(Reflected event) {
        Kept before = reflections.get(event.id());
        List<UUID> seen = Stream.concat(
                        before == null ? Stream.of() : before.seen().stream(), Reflected.sources(event.seen()).stream())
                .distinct()
                .toList();
        reflections.put(
                event.id(),
                new Kept(
                        event.id(),
                        and(before == null ? Set.of() : before.sessions(), event.session()),
                        event.sources(),
                        seen,
                        Map.of(),
                        !event.isFound(),
                        with(
                                before == null ? List.of() : before.events(),
                                event.meta().seq())));
        seen.forEach(source ->
                made.computeIfAbsent(source, _ -> new LinkedHashSet<>()).add(event.id()));
    }

    /** Marks reflections stale that cite a retired source. */
    private void stale(UUID source) {
        reflectionsOn(source).forEach(id -> reflections.computeIfPresent(id, (_, kept) -> kept.asStale()));
    }

    private Collection<Dated> dated(FactType type) {
        return dates.getOrDefault(type, new TreeSet<>());
    }

    /** The unit is retired. */
    private void undate(Known known) {
        dated(known.type()).remove(known.dated());
        if (known.theme() != null) {
            themes.computeIfPresent(known.theme(), (_, facts) -> {
                facts.remove(known.dated());
                return facts.isEmpty() ? null : facts;
            });
        }
    }

    private void drop(Known known) {
        undate(known);
        known.sources()
                .forEach(source ->
                        made.getOrDefault(source, new LinkedHashSet<>()).remove(known.id()));
        entities.unmentioned(known.mentions(), known.dated().date());
    }

    private void forgotten(Forgotten event) {
        if (event.whole()) {
            documents.clear();
            sessions.clear();
            units.clear();
            made.clear();
            reflections.clear();
            others.clear();
            dates.clear();
            themes.clear();
            expiring.clear();
            entities.clear();
            bytes = 0;
            return;
        }
        event.units().forEach(this::forgetUnit);
        event.units().forEach(this::forgetReflection);
        event.documents().forEach(this::forgetDocument);
    }

    private void forgetUnit(UUID id) {
        Known known = units.remove(id);
        if (known == null) {
            return;
        }
        drop(known);
        made.remove(id);
        Held held = known.docId() == null ? null : documents.get(known.docId());
        if (held != null) {
            held.readings().remove(known.chunk());
            held.units().remove(id);
        }
    }

    private void forgetReflection(UUID id) {
        Kept kept = reflections.remove(id);
        if (kept != null) {
            made.remove(id);
            kept.seen()
                    .forEach(source ->
                            made.getOrDefault(source, new LinkedHashSet<>()).remove(id));
        }
    }

    private void forgetDocument(UUID id) {
        made.remove(id);
        Held held = documents.remove(id);
        if (held != null) {
            bytes -= held.bytes();
            keep(held);
            held.sessions()
                    .forEach(session -> sessions.getOrDefault(session, new LinkedHashSet<>())
                            .remove(id));
        }
    }

    /** Whether this document has the same content. */
    boolean says(UUID docId, String contentHash) {
        Held held = documents.get(docId);
        return held != null && held.hash().equals(contentHash);
    }

    /** The hashes of a document's chunks. */
    List<String> chunksOf(UUID docId) {
        return document(docId).stream()
                .flatMap(document -> document.chunks().stream())
                .map(Piece::hash)
                .toList();
    }
}
