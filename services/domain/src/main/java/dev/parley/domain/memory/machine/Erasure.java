package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.protocol.CommandMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Retirement and erasure of units, documents and whole banks. */
final class Erasure {
    /** Interval between expiry runs. */
    static final Duration EXPIRY_INTERVAL = Duration.ofHours(1);

    /** Maximum documents that expire in one decision. */
    private static final int AT_ONCE = 50;

    /** Maximum units that expire in one decision, unless a single document has more. */
    private static final int MAX_UNITS = 2_000;

    private Erasure() {}

    static void retire(MemoryDraft draft, RetireUnit retire) {
        if (draft.state().bank() == null || !draft.memory().hasUnit(retire.unitId())) {
            draft.refuse("unknown_unit", "the bank has no such unit");
            return;
        }
        Observations.retire(draft, List.of(retire.unitId()), retire.reason());
        draft.accept(retire.meta().commandId());
    }

    static void forget(MemoryDraft draft, Forget forget) {
        rememberErasure(draft, forget);
        if (draft.state().bank() == null) {
            draft.refuse("unknown_bank", "there is no such bank, so it has no memories");
            return;
        }
        Optional<Contents> contents = Contents.of(draft, forget);
        if (contents.isEmpty()) {
            confirmMissing(draft, forget);
            draft.refuse("unknown_" + forget.what().name().toLowerCase(Locale.ROOT), "the bank has no such thing");
            return;
        }
        Branching.forget(draft, forget);
        erase(draft, forget.meta().commandId(), contents.get());
        draft.accept(forget.meta().commandId());
    }

    /** Content given before this command that arrives later is ignored. */
    private static void rememberErasure(MemoryDraft draft, Forget forget) {
        RecordKey session = forget.session();
        if (session != null) {
            draft.change(state -> state.erasing(session, forget.meta().at()));
        }
        if (forget.what() == Forget.What.BANK) {
            draft.change(state -> state.erasing(forget.meta().at()));
        }
    }

    /** Contents to erase with everything derived from them: documents, and units or reflections; or the whole bank. */
    private record Contents(List<UUID> documents, List<UUID> units, boolean whole) {
        static Contents ofDocuments(List<UUID> documents) {
            return new Contents(documents, List.of(), false);
        }

        /** Empty if the bank has no such content. Cancels the reflections of an erased session. */
        static Optional<Contents> of(MemoryDraft draft, Forget forget) {
            BankMemory memory = draft.memory();
            return switch (forget.what()) {
                case UNIT ->
                    Optional.of(id(forget))
                            .filter(id -> memory.hasUnit(id) || memory.hasReflection(id))
                            .map(id -> new Contents(List.of(), List.of(id), false));
                case DOCUMENT -> memory.document(id(forget)).map(document -> ofDocuments(List.of(document.id())));
                case TURN ->
                    Optional.of(ofDocuments(memory.documentsOfTurn(id(forget)))).filter(Contents::isPresent);
                case SESSION -> {
                    RecordKey session = Objects.requireNonNull(forget.session(), "which session");
                    boolean cancelled = Reflection.cancelIn(draft, session);
                    var contents = new Contents(
                            documentsOf(draft, session, forget.meta().at()),
                            List.copyOf(memory.reflectionsIn(session)),
                            false);
                    yield Optional.of(contents).filter(toErase -> cancelled || toErase.isPresent());
                }
                case BANK -> Optional.of(new Contents(List.of(), List.of(), true));
            };
        }

        boolean isPresent() {
            return !documents.isEmpty() || !units.isEmpty();
        }
    }

    /**
     * Confirms a request to erase unknown content. A receipt is returned, because a rejection would not reach the
     * sender if the bank had to be loaded first. An empty bank is not loaded.
     */
    private static void confirmMissing(MemoryDraft draft, Forget forget) {
        boolean isAwaited = switch (forget.what()) {
            case UNIT, DOCUMENT, TURN -> forget.meta().outcomePartition() != null;
            case SESSION, BANK -> false;
        };
        if (isAwaited && (draft.memory().unitCount() > 0 || draft.memory().bytes() > 0)) {
            draft.emit(meta -> new Forgotten(meta, forget.meta().commandId(), List.of(), List.of(), false));
        }
    }

    /** The documents of the session at this time: its key may have a new session by now. */
    private static List<UUID> documentsOf(MemoryDraft draft, RecordKey session, Instant time) {
        return draft.memory().documentsOf(session).stream()
                .filter(id -> draft.memory()
                        .document(id)
                        .filter(document -> !document.mentionedAt().isAfter(time))
                        .isPresent())
                .toList();
    }

    private static UUID id(Forget forget) {
        return Objects.requireNonNull(forget.id(), "what is to be forgotten");
    }

    /** Time of the next expiry; null for none. An incomplete branch waits. */
    static @Nullable Instant due(BankState state) {
        return state.branches().arriving() ? null : state.expires();
    }

    /** Erases expired documents, a limited number at a time. */
    static void tick(MemoryDraft draft) {
        List<UUID> expired = expiredDocuments(draft);
        if (!expired.isEmpty()) {
            UUID erasure =
                    Ids.of("expired", draft.state().open().id(), draft.state().lastSeq());
            for (UUID doc : expired) {
                CommandMeta meta = Branching.meta(draft, Ids.of("expired", erasure, doc));
                Branching.forget(draft, new Forget(meta, draft.state().open(), Forget.What.DOCUMENT, doc, null));
            }
            erase(draft, erasure, Contents.ofDocuments(expired));
        }
        Instant nextSweep = draft.now().plus(EXPIRY_INTERVAL);
        // Documents that have expired already are erased at once, later ones together.
        Instant next = draft.memory()
                .nextExpiry(Set.copyOf(expired))
                .map(expiry -> !expiry.isAfter(draft.now()) || expiry.isAfter(nextSweep) ? expiry : nextSweep)
                .orElse(null);
        draft.change(state -> state.withExpires(next));
    }

    /** The expired documents of one decision: at least one. */
    private static List<UUID> expiredDocuments(MemoryDraft draft) {
        var batch = new ArrayList<UUID>();
        int units = 0;
        for (UUID doc : draft.memory().expiredDocuments(draft.now(), AT_ONCE)) {
            units += draft.memory().unitsOf(doc).size();
            if (!batch.isEmpty() && units > MAX_UNITS) {
                break;
            }
            batch.add(doc);
        }
        return batch;
    }

    /**
     * Erases units with everything derived from them, in all versions, as it may contain their text. Observations that
     * still rest on several facts are rebuilt.
     */
    private static void erase(MemoryDraft draft, UUID erasure, Contents contents) {
        var documents = new TreeSet<>(contents.documents()); // ordered, so that each instance emits the same events
        var roots = new LinkedHashSet<>(contents.units());
        documents.forEach(doc -> roots.addAll(draft.memory().unitsOf(doc)));
        Set<UUID> units = withDerived(draft.memory(), roots, documents);
        var events = new TreeSet<Long>(contents.whole() ? draft.memory().allEvents() : Set.of());
        Stream.concat(documents.stream(), units.stream())
                .forEach(id -> events.addAll(draft.memory().eventsOf(id)));
        draft.emit(meta -> new Forgotten(meta, erasure, List.copyOf(documents), List.copyOf(units), contents.whole()));
        if (!contents.whole()) {
            units.stream()
                    .filter(unit -> !roots.contains(unit))
                    .forEach(unit -> Observations.restore(draft, unit, units));
        }
        draft.effect(new MemoryEffect.Erase(List.copyOf(events)));
        FactExtraction.onErased(draft, documents, contents.whole());
        Reflection.onErased(draft, contents.whole());
        ConsolidationCalls.onErased(draft, contents.whole());
    }

    /** The units, and all units and reflections derived from them or from the documents, directly or indirectly. */
    private static Set<UUID> withDerived(BankMemory memory, Set<UUID> units, Set<UUID> documents) {
        var result = new TreeSet<>(units);
        List<UUID> next = Stream.concat(units.stream(), documents.stream()).toList();
        while (!next.isEmpty()) {
            next = next.stream()
                    .flatMap(id -> memory.derivedFrom(id).stream())
                    .filter(result::add)
                    .toList();
        }
        return result;
    }
}
