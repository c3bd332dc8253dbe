package dev.parley.domain.memory.index;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The documents of a bank by id, session and expiry, without their texts. Not thread-safe. */
final class DocumentIndex {
    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Map<RecordKey, Set<UUID>> bySession = new HashMap<>();
    private final NavigableSet<Dated> expiries = new TreeSet<>();
    private long bytes;

    /**
     * A document.
     *
     * @param sessions of all versions
     * @param bytes of all versions
     * @param forgetAt expiry, or null
     * @param extractions numbers of the events of all extractions by a model, by chunk
     * @param units ids of the units extracted from it
     */
    private record Entry(
            UUID id,
            Set<RecordKey> sessions,
            @Nullable UUID turn,
            String hash,
            long bytes,
            @Nullable Instant forgetAt,
            ContentEvents events,
            Map<String, List<Long>> extractions,
            Set<UUID> units) {

        /** A document before its first version. */
        static Entry of(UUID id) {
            return new Entry(
                    id, Set.of(), null, "", 0, null, ContentEvents.NONE, new HashMap<>(), new LinkedHashSet<>());
        }

        Entry with(Document document, long seq) {
            return new Entry(
                    id,
                    Stream.concat(sessions.stream(), Stream.ofNullable(document.session()))
                            .collect(Collectors.toUnmodifiableSet()),
                    document.turnId(),
                    document.contentHash(),
                    bytes + document.bytes(),
                    document.forgetAt(),
                    events.withText(seq),
                    extractions,
                    units);
        }

        Entry with(long seq) {
            return new Entry(id, sessions, turn, hash, bytes, forgetAt, events.with(seq), extractions, units);
        }

        Stream<Long> allEvents() {
            return Stream.concat(
                    events.numbers().stream(), extractions.values().stream().flatMap(List::stream));
        }
    }

    boolean contains(UUID id) {
        return entries.containsKey(id);
    }

    /** Whether this document has this content. */
    boolean hasContent(UUID id, String contentHash) {
        Entry entry = entries.get(id);
        return entry != null && entry.hash().equals(contentHash);
    }

    /** The number of the event with the current version. */
    Optional<Long> current(UUID id) {
        return Optional.ofNullable(entries.get(id)).map(entry -> entry.events().current());
    }

    /** Bytes of all documents, in all their versions. */
    long bytes() {
        return bytes;
    }

    Set<UUID> inSession(RecordKey session) {
        return Set.copyOf(bySession.getOrDefault(session, Set.of()));
    }

    List<UUID> ofTurn(UUID turn) {
        return entries.values().stream()
                .filter(entry -> turn.equals(entry.turn()))
                .map(Entry::id)
                .sorted()
                .toList();
    }

    /** Ids of expired documents, earliest expiry first. */
    List<UUID> expiredDocuments(Instant now, int limit) {
        return expiries.stream()
                .takeWhile(expiry -> !expiry.date().isAfter(now))
                .limit(limit)
                .map(Dated::id)
                .toList();
    }

    /** The next expiry of a document other than these. */
    Optional<Instant> nextExpiry(Set<UUID> except) {
        return expiries.stream()
                .filter(expiry -> !except.contains(expiry.id()))
                .map(Dated::date)
                .findFirst();
    }

    /** Ids of the units extracted from a document. */
    Set<UUID> unitsOf(UUID id) {
        Entry entry = entries.get(id);
        return entry == null ? Set.of() : Set.copyOf(entry.units());
    }

    /** Numbers of the events that contain a document; empty if there is none of this id. */
    Stream<Long> eventsOf(UUID id) {
        return Optional.ofNullable(entries.get(id)).stream().flatMap(Entry::allEvents);
    }

    /** Numbers of the events of all extractions of a chunk by a model: they contain its facts. */
    Stream<Long> extractionsOf(@Nullable UUID id, @Nullable String chunk) {
        Entry entry = id == null ? null : entries.get(id);
        return entry == null ? Stream.of() : entry.extractions().getOrDefault(chunk, List.of()).stream();
    }

    /** Numbers of all events that contain a document. */
    Stream<Long> allEvents() {
        return entries.values().stream().flatMap(Entry::allEvents);
    }

    void applyRetained(Document document, long seq) {
        Entry before = entries.getOrDefault(document.id(), Entry.of(document.id()));
        cancelExpiry(before);
        Entry entry = before.with(document, seq);
        bytes += entry.bytes() - before.bytes();
        entries.put(document.id(), entry);
        if (document.forgetAt() != null) {
            expiries.add(new Dated(document.forgetAt(), document.id()));
        }
        if (document.session() != null) {
            bySession
                    .computeIfAbsent(document.session(), _ -> new LinkedHashSet<>())
                    .add(document.id());
        }
    }

    private void cancelExpiry(Entry entry) {
        if (entry.forgetAt() != null) {
            expiries.remove(new Dated(entry.forgetAt(), entry.id()));
        }
    }

    /** The passages of a chunk were embedded. */
    void applyPassagesEmbedded(UUID id, long seq) {
        entries.computeIfPresent(id, (_, entry) -> entry.with(seq));
    }

    void applyFactsExtracted(FactsExtracted event) {
        Entry entry = entries.get(event.docId());
        if (entry != null) {
            entry.extractions()
                    .merge(
                            event.chunk(),
                            List.of(event.meta().seq()),
                            (before, now) ->
                                    Stream.concat(before.stream(), now.stream()).toList());
        }
    }

    void addUnit(@Nullable UUID id, UUID unit) {
        Entry entry = id == null ? null : entries.get(id);
        if (entry != null) {
            entry.units().add(unit);
        }
    }

    /** Removes a unit that was erased, with the extractions of its chunk. */
    void removeUnit(@Nullable UUID id, @Nullable String chunk, UUID unit) {
        Entry entry = id == null ? null : entries.get(id);
        if (entry != null) {
            entry.extractions().remove(chunk);
            entry.units().remove(unit);
        }
    }

    void remove(UUID id) {
        Entry entry = entries.remove(id);
        if (entry != null) {
            bytes -= entry.bytes();
            cancelExpiry(entry);
            entry.sessions()
                    .forEach(session -> bySession
                            .getOrDefault(session, new LinkedHashSet<>())
                            .remove(id));
        }
    }

    void clear() {
        entries.clear();
        bySession.clear();
        expiries.clear();
        bytes = 0;
    }
}
