package dev.parley.domain.memory.index;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reflections of a bank, without their texts. Not thread-safe. */
final class ReflectionIndex {
    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Derivations derivations;

    /**
     * A reflection.
     *
     * @param sessions in which it was asked, in any version
     * @param basedOn cited units and documents
     * @param seen all evidence, in any version
     * @param stale whether something cited has been retired
     */
    record Entry(
            UUID id,
            Set<RecordKey> sessions,
            List<UUID> basedOn,
            List<UUID> seen,
            boolean stale,
            ContentEvents events) {

        /** A reflection before its first version. */
        static Entry of(UUID id) {
            return new Entry(id, Set.of(), List.of(), List.of(), false, ContentEvents.NONE);
        }

        Entry with(Reflected event) {
            return new Entry(
                    id,
                    Stream.concat(sessions.stream(), Stream.ofNullable(event.session()))
                            .collect(Collectors.toUnmodifiableSet()),
                    event.sources(),
                    Stream.concat(seen.stream(), Reflected.sources(event.seen()).stream())
                            .distinct()
                            .toList(),
                    !event.isFound(),
                    events.withText(event.meta().seq()));
        }

        Entry with(UnitEmbedded event) {
            return new Entry(id, sessions, basedOn, seen, stale, events.with(event));
        }

        Entry asStale() {
            return new Entry(id, sessions, basedOn, seen, true, events);
        }
    }

    ReflectionIndex(Derivations derivations) {
        this.derivations = derivations;
    }

    Optional<Entry> find(UUID id) {
        return Optional.ofNullable(entries.get(id));
    }

    Set<UUID> ids() {
        return Set.copyOf(entries.keySet());
    }

    /** Ids of the reflections that cite a unit or a document and are not stale. */
    List<UUID> citing(UUID source) {
        return derivations.of(source).stream()
                .filter(id -> find(id).filter(
                                entry -> !entry.stale() && entry.basedOn().contains(source))
                        .isPresent())
                .sorted()
                .toList();
    }

    /** Ids of the reflections asked in a session. */
    Set<UUID> inSession(RecordKey session) {
        return entries.values().stream()
                .filter(entry -> entry.sessions().contains(session))
                .map(Entry::id)
                .collect(Collectors.toSet());
    }

    /** Numbers of all events that contain a reflection. */
    Stream<Long> allEvents() {
        return entries.values().stream()
                .map(Entry::events)
                .map(ContentEvents::numbers)
                .flatMap(Collection::stream);
    }

    void applyReflected(Reflected event) {
        Entry entry = entries.getOrDefault(event.id(), Entry.of(event.id())).with(event);
        entries.put(event.id(), entry);
        derivations.add(event.id(), entry.seen());
    }

    void applyEmbedded(UnitEmbedded event) {
        entries.computeIfPresent(event.unitId(), (_, entry) -> entry.with(event));
    }

    /** Marks the reflections stale that cite a source which was retired or changed. */
    void markStale(UUID source) {
        citing(source).forEach(id -> entries.computeIfPresent(id, (_, entry) -> entry.asStale()));
    }

    /** Removes a reflection; returns whether there was one of this id. */
    boolean remove(UUID id) {
        Entry removed = entries.remove(id);
        if (removed == null) {
            return false;
        }
        derivations.remove(id, removed.seen());
        return true;
    }

    void clear() {
        entries.clear();
    }
}
