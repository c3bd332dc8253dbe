package dev.parley.domain.memory.index;

import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.Consolidation.Theme;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The units of a bank by id, date and theme, and their entities, without their texts. Not thread-safe. */
public final class UnitIndex {
    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Map<FactType, NavigableSet<Dated>> active = new EnumMap<>(FactType.class);
    /** Active facts about attributes that have one value at a time. */
    private final Map<Theme, NavigableSet<Dated>> byTheme = new HashMap<>();

    private final KnownEntities entities = new KnownEntities();
    private final Derivations derivations;

    /**
     * A unit.
     *
     * @param sources of all versions: erasure covers earlier versions, too
     * @param mentions counted for entities; those of derived units are not, as they add no occurrence
     * @param theme of a fact about an attribute that has one value at a time, or null
     */
    record Entry(
            UUID id,
            @Nullable UUID docId,
            @Nullable String chunk,
            Dated dated,
            FactType type,
            boolean retired,
            List<UUID> sources,
            List<Mention> mentions,
            @Nullable Theme theme,
            ContentEvents events) {

        static Entry of(UnitLearned event, @Nullable Entry before) {
            Unit unit = event.unit();
            return new Entry(
                    unit.id(),
                    unit.docId(),
                    unit.provenance() == null ? null : unit.provenance().chunk(),
                    new Dated(unit.date(), unit.id()),
                    unit.type(),
                    false,
                    before == null
                            ? unit.sources()
                            : Stream.concat(before.sources().stream(), unit.sources().stream())
                                    .distinct()
                                    .toList(),
                    unit.sources().isEmpty() ? event.mentions() : List.of(),
                    UnitIndex.theme(event).orElse(null),
                    (before == null ? ContentEvents.NONE : before.events())
                            .withText(event.meta().seq()));
        }

        Entry with(boolean isRetired, ContentEvents events) {
            return new Entry(id, docId, chunk, dated, type, isRetired, sources, mentions, theme, events);
        }
    }

    UnitIndex(Derivations derivations) {
        this.derivations = derivations;
    }

    /** The attribute that a fact is about, if it has one value at a time. */
    public static Optional<Theme> theme(UnitLearned event) {
        return event.unit().type() == FactType.WORLD
                ? Consolidation.theme(event.unit().text(), event.names())
                : Optional.empty();
    }

    Optional<Entry> find(UUID id) {
        return Optional.ofNullable(entries.get(id));
    }

    /** Ids of all units, including retired ones. */
    Set<UUID> ids() {
        return Set.copyOf(entries.keySet());
    }

    /** Number of units, including retired ones. */
    long size() {
        return entries.size();
    }

    /** Number of active units. */
    long activeCount() {
        return active.values().stream().mapToLong(Set::size).sum();
    }

    KnownEntities entities() {
        return entities;
    }

    /** The active units of a type nearest to a date: up to {@code perSide} before it, and from it on. */
    List<Dated> around(Instant date, FactType type, int perSide) {
        NavigableSet<Dated> datedUnits = active.get(type);
        if (datedUnits == null) {
            return List.of();
        }
        var boundary = new Dated(date, new UUID(0, 0));
        return Stream.concat(
                        datedUnits.headSet(boundary, false).descendingSet().stream()
                                .limit(perSide),
                        datedUnits.tailSet(boundary, true).stream().limit(perSide))
                .toList();
    }

    /** Active facts of this theme, newest first. */
    List<UUID> ofTheme(Theme theme, int limit) {
        NavigableSet<Dated> facts = byTheme.get(theme);
        return facts == null
                ? List.of()
                : facts.descendingSet().stream().map(Dated::id).limit(limit).toList();
    }

    /** Numbers of all events that contain a unit. */
    Stream<Long> allEvents() {
        return entries.values().stream().flatMap(entry -> entry.events().numbers().stream());
    }

    void applyLearned(UnitLearned event) {
        UUID id = event.unit().id();
        find(id).ifPresent(this::unlink);
        var entry = Entry.of(event, entries.get(id));
        entries.put(id, entry);
        active.computeIfAbsent(entry.type(), _ -> new TreeSet<>()).add(entry.dated());
        if (entry.theme() != null) {
            byTheme.computeIfAbsent(entry.theme(), _ -> new TreeSet<>()).add(entry.dated());
        }
        derivations.add(id, entry.sources());
        entities.addMentions(entry.mentions(), entry.dated().date());
    }

    void applyRetired(UUID id, long seq) {
        entries.computeIfPresent(id, (_, entry) -> {
            deactivate(entry);
            return entry.with(true, entry.events().with(seq));
        });
    }

    void applyEmbedded(UnitEmbedded event) {
        entries.computeIfPresent(
                event.unitId(),
                (_, entry) -> entry.with(entry.retired(), entry.events().with(event)));
    }

    /** Removes a unit and returns its entry; empty if there is none of this id. */
    Optional<Entry> remove(UUID id) {
        Optional<Entry> removed = Optional.ofNullable(entries.remove(id));
        removed.ifPresent(this::unlink);
        return removed;
    }

    void clear() {
        entries.clear();
        active.clear();
        byTheme.clear();
        entities.clear();
    }

    private void deactivate(Entry entry) {
        NavigableSet<Dated> datedUnits = active.get(entry.type());
        if (datedUnits != null) {
            datedUnits.remove(entry.dated());
        }
        if (entry.theme() != null) {
            byTheme.computeIfPresent(entry.theme(), (_, facts) -> {
                facts.remove(entry.dated());
                return facts.isEmpty() ? null : facts;
            });
        }
    }

    private void unlink(Entry entry) {
        deactivate(entry);
        derivations.remove(entry.id(), entry.sources());
        entities.removeMentions(entry.mentions(), entry.dated().date());
    }
}
