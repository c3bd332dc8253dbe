package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.reflect.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The evidence of a reflection, and the part of it that a model is shown. */
final class Grounding {

    /** Maximum characters of new search results that replace earlier evidence. */
    private static final int MAX_NEW = Reflection.MAX_SHOWN / 2;

    private Grounding() {}

    /** Adds new results; they replace the last of the earlier ones if not all fit. */
    static List<String> mergeShown(MemoryDraft draft, List<String> before, List<String> found) {
        List<String> added = found.stream().filter(id -> !before.contains(id)).toList();
        List<String> addedFitting = fitting(draft, added, before.isEmpty() ? Reflection.MAX_SHOWN : MAX_NEW);
        int room = Reflection.MAX_SHOWN
                - addedFitting.stream().mapToInt(id -> length(draft, id)).sum();
        return Stream.concat(fitting(draft, before, room).stream(), addedFitting.stream())
                .toList();
    }

    /** The ids in order whose texts fit into the limit together; those that do not fit are skipped. */
    private static List<String> fitting(MemoryDraft draft, List<String> ids, int limit) {
        var fitting = new ArrayList<String>();
        int characters = 0;
        for (String id : ids) {
            int length = length(draft, id);
            if (characters + length <= limit) {
                fitting.add(id);
                characters += length;
            }
        }
        return fitting;
    }

    /** Length in characters; more than the limit if it no longer exists. */
    private static int length(MemoryDraft draft, String id) {
        return evidence(draft, id).map(piece -> piece.text().length()).orElse(Reflection.MAX_SHOWN + 1);
    }

    /** Placeholder for retired evidence, which keeps the numbering. */
    static Evidence retiredPlaceholder(MemoryDraft draft, String id) {
        return new Evidence(id, FactType.WORLD, "(taken back)", null, null, draft.now());
    }

    static boolean isAllThere(MemoryDraft draft, List<String> ids) {
        return ids.stream().allMatch(id -> evidence(draft, id).isPresent());
    }

    /** The current version of a unit or passage; empty if it was erased or retired. */
    static Optional<Evidence> evidence(MemoryDraft draft, String id) {
        return unit(draft, id)
                .map(unit -> new Evidence(
                        id, unit.type(), unit.text(), unit.confidence(), unit.occurred(), unit.mentionedAt()))
                .or(() -> passage(draft, id));
    }

    static Optional<Unit> unit(MemoryDraft draft, String id) {
        return Passages.isId(id) ? Optional.empty() : unit(draft, Ids.parse(id));
    }

    static Optional<Unit> unit(MemoryDraft draft, UUID id) {
        return draft.memory().isActive(id)
                ? draft.memory().unit(id).map(MemoryEvent.UnitLearned::unit)
                : Optional.empty();
    }

    private static Optional<Evidence> passage(MemoryDraft draft, String id) {
        return Passages.isId(id)
                ? draft.memory()
                        .document(Passages.document(id))
                        .flatMap(document -> Passages.find(document, id)
                                .map(found -> new Evidence(
                                        id, found.type(), found.text(), null, null, document.mentionedAt())))
                : Optional.empty();
    }
}
