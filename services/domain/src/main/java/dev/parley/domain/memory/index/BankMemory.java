package dev.parley.domain.memory.index;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.FactType;
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
import dev.parley.domain.memory.consolidate.Consolidation.Theme;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * In-memory index of a bank for decisions: its documents, units and reflections, with the numbers of the events that
 * contain them. Derived from the events, which contain the texts. Not thread-safe.
 */
public final class BankMemory {
    private final LongFunction<MemoryEvent> events;
    private final Derivations derivations = new Derivations();
    private final DocumentIndex documents = new DocumentIndex();
    private final UnitIndex units = new UnitIndex(derivations);
    private final ReflectionIndex reflections = new ReflectionIndex(derivations);
    /** Events without document, unit or reflection; erased with the whole bank. */
    private final Set<Long> others = new TreeSet<>();

    /** The searched embedding generation, or null before the first vector. */
    private @Nullable String generation;

    private List<String> generations = List.of();

    /** @param events reads the bank's events by number; only called for events that were applied and not erased */
    public BankMemory(LongFunction<MemoryEvent> events) {
        this.events = events;
    }

    /** The current version of this document. */
    public Optional<Document> document(UUID id) {
        return documents.current(id).map(number -> ((DocumentRetained) events.apply(number)).document());
    }

    /** Whether this document has this content. */
    public boolean hasContent(UUID docId, String contentHash) {
        return documents.hasContent(docId, contentHash);
    }

    /** The hashes of a document's chunks. */
    public List<String> chunksOf(UUID docId) {
        return document(docId).stream()
                .flatMap(document -> document.chunks().stream())
                .map(Piece::hash)
                .toList();
    }

    /** Bytes of all documents, in all their versions. */
    public long bytes() {
        return documents.bytes();
    }

    /** Ids of a session's documents. */
    public Set<UUID> documentsOf(RecordKey session) {
        return documents.inSession(session);
    }

    /** Ids of a turn's documents. */
    public List<UUID> documentsOfTurn(UUID turn) {
        return documents.ofTurn(turn);
    }

    /** Ids of expired documents, earliest expiry first. */
    public List<UUID> expiredDocuments(Instant now, int limit) {
        return documents.expiredDocuments(now, limit);
    }

    /** The next expiry of a document other than these. */
    public Optional<Instant> nextExpiry(Set<UUID> except) {
        return documents.nextExpiry(except);
    }

    /** Whether there is such a unit, active or retired. */
    public boolean hasUnit(UUID id) {
        return units.find(id).isPresent();
    }

    /** Whether there is such a unit and it is active. */
    public boolean isActive(UUID unit) {
        return units.find(unit).filter(entry -> !entry.retired()).isPresent();
    }

    /** Whether there is such a unit of this type and it is active. */
    public boolean isActive(UUID unit, FactType type) {
        return isActive(unit) && isOfType(unit, type);
    }

    /** Whether there is such a unit of this type, active or retired. */
    public boolean isOfType(UUID unit, FactType type) {
        return typeOf(unit).filter(type::equals).isPresent();
    }

    /** The type of a unit; empty if there is none with this id. */
    public Optional<FactType> typeOf(UUID unit) {
        return units.find(unit).map(UnitIndex.Entry::type);
    }

    /**
     * The current version of this unit with its mentions, active or retired. Its vector is of the searched generation,
     * or missing.
     */
    public Optional<UnitLearned> unit(UUID id) {
        return units.find(id).map(this::withSearchedVector);
    }

    /** The version that the next change of this unit has; 1 if there is no such unit. */
    public int nextVersion(UUID id) {
        return unit(id).map(learned -> learned.unit().version() + 1).orElse(1);
    }

    private UnitLearned withSearchedVector(UnitIndex.Entry entry) {
        var learned = (UnitLearned) events.apply(entry.events().current());
        String unitGeneration = learned.unit().generation();
        if (unitGeneration == null || generation == null || unitGeneration.equals(generation)) {
            return learned;
        }
        Long number = entry.events().vectors().get(generation);
        Unit unit = number == null
                ? learned.unit().withEmbedding(null, null)
                : learned.unit().withEmbedding(generation, ((UnitEmbedded) events.apply(number)).vector());
        return new UnitLearned(
                learned.meta(), unit, learned.mentions(), learned.links(), learned.reason(), learned.maker());
    }

    /** Ids of all units, including retired ones. */
    public Set<UUID> units() {
        return units.ids();
    }

    /** Number of units, including retired ones. */
    public long unitCount() {
        return units.size();
    }

    /** Number of active units. */
    public long activeCount() {
        return units.activeCount();
    }

    /** Ids of the units extracted from a document. */
    public Set<UUID> unitsOf(UUID docId) {
        return documents.unitsOf(docId);
    }

    /** Ids of the active units extracted from this chunk of a document. */
    public List<UUID> unitsOf(UUID docId, String chunk) {
        return unitsOf(docId).stream()
                .filter(id -> units.find(id)
                        .filter(unit -> !unit.retired() && chunk.equals(unit.chunk()))
                        .isPresent())
                .sorted()
                .toList();
    }

    /** The entities of the bank. */
    public KnownEntities entities() {
        return units.entities();
    }

    /** The active units of a type nearest to a date: up to {@code perSide} before it, and from it on. */
    public List<Dated> around(Instant date, FactType type, int perSide) {
        return units.around(date, type, perSide);
    }

    /** Active facts of this theme, newest first. */
    public List<UUID> ofTheme(Theme theme, int limit) {
        return units.ofTheme(theme, limit);
    }

    /**
     * Ids of the units and reflections derived from a unit or a document in any version, so that their text may contain
     * its text.
     */
    public Set<UUID> derivedFrom(UUID source) {
        return derivations.of(source);
    }

    /** Whether there is a reflection with this id. */
    public boolean hasReflection(UUID id) {
        return reflections.find(id).isPresent();
    }

    /** The current version of this reflection; empty if there is none, or it is stale. */
    public Optional<Reflected> reflection(UUID id) {
        return reflections.find(id).filter(entry -> !entry.stale()).map(entry ->
                (Reflected) events.apply(entry.events().current()));
    }

    /** The answer to a command, even if the question was asked again later. */
    public Optional<Reflected> reflection(UUID id, UUID commandId) {
        return eventsOf(id).stream()
                .map(events::apply)
                .filter(Reflected.class::isInstance)
                .map(Reflected.class::cast)
                .filter(event -> commandId.equals(event.meta().commandId()))
                .findFirst();
    }

    /** Further vectors of the current version of a reflection, of existing generations. */
    public List<UnitEmbedded> embeddingsOf(UUID reflection) {
        return reflections.find(reflection).map(entry -> entry.events().vectors()).orElse(Map.of()).entrySet().stream()
                .filter(entry -> generations.contains(entry.getKey()))
                .map(entry -> (UnitEmbedded) events.apply(entry.getValue()))
                .toList();
    }

    /** Ids of the reflections that cite a unit or a document and are not stale. */
    public List<UUID> reflectionsOn(UUID source) {
        return reflections.citing(source);
    }

    public Set<UUID> reflections() {
        return reflections.ids();
    }

    /** Ids of the reflections asked in a session. */
    public Set<UUID> reflectionsIn(RecordKey session) {
        return reflections.inSession(session);
    }

    /** The generations of its vectors. */
    public List<String> generations() {
        return generations;
    }

    /** Numbers of the events that contain a document, a unit or a reflection. */
    public List<Long> eventsOf(UUID id) {
        return Stream.of(
                        documents.eventsOf(id),
                        units.find(id).stream().flatMap(this::eventsOf),
                        reflections.find(id).stream().flatMap(entry -> entry.events().numbers().stream()))
                .flatMap(numbers -> numbers)
                .toList();
    }

    /** Events of a unit, and of all extractions of its chunk: they contain its text. */
    private Stream<Long> eventsOf(UnitIndex.Entry unit) {
        return Stream.concat(unit.events().numbers().stream(), documents.extractionsOf(unit.docId(), unit.chunk()));
    }

    /** Numbers of all events that contain a document, unit, profile or directive. */
    public Set<Long> allEvents() {
        var eventNumbers = new TreeSet<>(others);
        Stream.of(documents.allEvents(), units.allEvents(), reflections.allEvents())
                .flatMap(numbers -> numbers)
                .forEach(eventNumbers::add);
        return eventNumbers;
    }

    /** Applies an event, in the order of the events' numbers. */
    public void apply(MemoryEvent event) {
        long seq = event.meta().seq();
        switch (event) {
            case DocumentRetained e -> applyRetained(e.document(), seq);
            case FactsExtracted e -> documents.applyFactsExtracted(e);
            case PassagesEmbedded e -> documents.applyPassagesEmbedded(e.docId(), seq);
            case UnitLearned e -> applyLearned(e);
            case UnitRetired e -> applyRetired(e.unitId(), seq);
            case Reflected e when e.made() != null -> others.add(seq);
            case Reflected e -> reflections.applyReflected(e);
            case UnitEmbedded e -> applyEmbedded(e);
            case GenerationChanged e -> applyGenerationChanged(e);
            case Forgotten e when e.whole() -> clear();
            case Forgotten e -> applyForgotten(e);
            case BankLimited _, BranchBegun _, Branched _, Consolidated _ -> {} // contain no text
            case BankChanged _, DirectiveSet _, DirectiveRemoved _, MentalModelSet _, MentalModelRemoved _ ->
                others.add(seq); // their content is in the bank's state
        }
    }

    private void applyRetained(Document document, long seq) {
        if (documents.contains(document.id())) {
            reflections.markStale(document.id()); // the cited passages may have changed
        }
        documents.applyRetained(document, seq);
    }

    private void applyLearned(UnitLearned event) {
        units.applyLearned(event);
        documents.addUnit(event.unit().docId(), event.unit().id());
    }

    private void applyRetired(UUID unit, long seq) {
        units.applyRetired(unit, seq);
        reflections.markStale(unit);
    }

    private void applyEmbedded(UnitEmbedded event) {
        units.applyEmbedded(event);
        reflections.applyEmbedded(event);
    }

    private void applyGenerationChanged(GenerationChanged event) {
        generation = event.current();
        generations = event.other() == null ? List.of(event.current()) : List.of(event.current(), event.other());
    }

    private void applyForgotten(Forgotten event) {
        event.units().forEach(this::forgetUnit);
        event.units().forEach(this::forgetReflection);
        event.documents().forEach(this::forgetDocument);
    }

    private void forgetUnit(UUID id) {
        units.remove(id).ifPresent(unit -> {
            derivations.removeSource(id);
            documents.removeUnit(unit.docId(), unit.chunk(), id);
        });
    }

    private void forgetReflection(UUID id) {
        if (reflections.remove(id)) {
            derivations.removeSource(id);
        }
    }

    private void forgetDocument(UUID id) {
        derivations.removeSource(id);
        documents.remove(id);
    }

    private void clear() {
        documents.clear();
        units.clear();
        reflections.clear();
        derivations.clear();
        others.clear();
    }
}
