package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.protocol.CommandMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Retirement and erasure of units, documents and whole banks. */
final class Forgetting {
    /** Interval between expiry runs. */
    static final Duration EXPIRY_INTERVAL = Duration.ofHours(1);

    /** Maximum documents that expire in one decision. */
    private static final int AT_ONCE = 50;

    /** Maximum units that expire in one decision, unless a single document has more. */
    private static final int MAX_UNITS = 2_000;

    private Forgetting() {}

    static void retire(MemoryDraft draft, RetireUnit retire) {
        if (draft.state().bank() == null || !draft.memory().knows(retire.unitId())) {
            draft.refuse("unknown_unit", "the bank has no such unit");
            return;
        }
        Consolidating.retire(draft, List.of(retire.unitId()), retire.reason());
        draft.done(retire.meta().commandId());
    }

    static void forget(MemoryDraft draft, Forget forget) {
        RecordKey session = forget.session();
        if (session != null) {
            draft.change(state -> state.erasing(session, forget.meta().at()));
        }
        if (forget.what() == Forget.What.BANK) {
            draft.change(state -> state.erasing(forget.meta().at()));
        }
        if (draft.state().bank() == null) {
            draft.refuse("unknown_bank", "there is no such bank, so nothing of it is remembered");
            return;
        }
        var documents = new LinkedHashSet<UUID>();
        var units = new LinkedHashSet<UUID>();
        boolean known = switch (forget.what()) {
            case UNIT ->
                (draft.memory().knows(id(forget)) || draft.memory().hasReflection(id(forget))) && units.add(id(forget));
            case DOCUMENT -> draft.memory().document(id(forget)).isPresent() && documents.add(id(forget));
            case TURN -> documents.addAll(draft.memory().documentsOfTurn(id(forget)));
            case SESSION -> {
                boolean erased = Reflecting.erased(draft, Objects.requireNonNull(session, "which session"));
                documents.addAll(said(draft, forget));
                units.addAll(draft.memory().reflectionsIn(session));
                yield erased || !documents.isEmpty() || !units.isEmpty();
            }
            case BANK -> true;
        };
        if (!known) {
            missing(draft, forget);
            draft.refuse("unknown_" + forget.what().name().toLowerCase(Locale.ROOT), "the bank has no such thing");
            return;
        }
        boolean whole = forget.what() == Forget.What.BANK;
        Branching.forget(draft, forget);
        erase(draft, forget.meta().commandId(), documents, units, whole);
        draft.done(forget.meta().commandId());
    }

    /**
     * Answers a request to forget something unknown. A receipt is returned, because a rejection would not reach the
     * sender if the bank had to be loaded first. An empty bank need not be.
     */
    private static void missing(MemoryDraft draft, Forget forget) {
        boolean asked = switch (forget.what()) {
            case UNIT, DOCUMENT, TURN -> forget.meta().outcomePartition() != null;
            case SESSION, BANK -> false;
        };
        if (asked && (draft.memory().known() > 0 || draft.memory().bytes() > 0)) {
            draft.emit(meta -> new Forgotten(meta, forget.meta().commandId(), List.of(), List.of(), false));
        }
    }

    /** The documents of the session at the time of the command: its key may have a new session by now. */
    private static List<UUID> said(MemoryDraft draft, Forget forget) {
        return draft.memory().documentsOf(Objects.requireNonNull(forget.session(), "which session")).stream()
                .filter(doc -> draft.memory()
                        .document(doc)
                        .filter(document ->
                                !document.mentionedAt().isAfter(forget.meta().at()))
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
        List<UUID> expired = expired(draft);
        if (!expired.isEmpty()) {
            UUID erasure =
                    Ids.of("expired", draft.state().open().id(), draft.state().lastSeq());
            for (UUID doc : expired) {
                CommandMeta meta = Branching.meta(draft, Ids.of("expired", erasure, doc));
                Branching.forget(draft, new Forget(meta, draft.state().open(), Forget.What.DOCUMENT, doc, null));
            }
            erase(draft, erasure, new LinkedHashSet<>(expired), new LinkedHashSet<>(), false);
        }
        Instant soon = draft.now().plus(EXPIRY_INTERVAL);
        Instant next = draft.memory()
                .nextExpiry(Set.copyOf(expired))
                .map(at -> !at.isAfter(draft.now()) || at.isAfter(soon) ? at : soon) // what has expired, at once
                .orElse(null);
        draft.change(state -> state.withExpires(next));
    }

    /** The expired documents of one decision: at least one. */
    private static List<UUID> expired(MemoryDraft draft) {
        var some = new ArrayList<UUID>();
        int units = 0;
        for (UUID doc : draft.memory().expired(draft.now(), AT_ONCE)) {
            units += draft.memory().unitsOf(doc).size();
            if (!some.isEmpty() && units > MAX_UNITS) {
                break;
            }
            some.add(doc);
        }
        return some;
    }

    /**
     * Erases units with everything derived from them, in all versions, as it may contain their text. Observations that
     * still rest on several facts are rebuilt.
     */
    private static void erase(MemoryDraft draft, UUID erasure, Set<UUID> documents, Set<UUID> units, boolean whole) {
        documents.forEach(doc -> units.addAll(draft.memory().unitsOf(doc)));
        var asked = Set.copyOf(units);
        List<UUID> next = new ArrayList<>(units);
        next.addAll(documents);
        while (!next.isEmpty()) {
            next = next.stream()
                    .flatMap(unit -> draft.memory().madeOf(unit).stream())
                    .filter(units::add)
                    .toList();
        }
        var events = new TreeSet<Long>(whole ? draft.memory().allEvents() : Set.of());
        Stream.concat(documents.stream(), units.stream())
                .forEach(id -> events.addAll(draft.memory().eventsOf(id)));
        draft.emit(meta -> new Forgotten(meta, erasure, List.copyOf(documents), List.copyOf(units), whole));
        if (!whole) {
            units.stream()
                    .filter(unit -> !asked.contains(unit))
                    .forEach(unit -> Consolidating.restore(draft, unit, units));
        }
        draft.effect(new MemoryEffect.Erase(List.copyOf(events)));
        FactExtraction.forget(draft, documents, whole);
        Reflecting.forget(draft, whole);
        ModelConsolidating.forget(draft, whole);
    }
}
