package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.Generations;
import dev.parley.domain.memory.Generations.Filling;
import dev.parley.domain.memory.Generations.FillingPart;
import dev.parley.domain.memory.MemoryCommand.DropGeneration;
import dev.parley.domain.memory.MemoryCommand.Reembed;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Re-embedding: rebuilds a bank's vectors with another model while the bank stays searchable.
 *
 * <pre>
 *   Reembed ──► for each event with a vector of the current generation, in order: a vector of the other one
 *     └─ complete ──► the other generation is searched, as of one event; the previous one is kept and gets new content, too
 *          ├─ Reembed with the previous one ──► switched back
 *          └─ DropGeneration, or Reembed with a third one ──► the previous one is dropped
 * </pre>
 *
 * Works in batches read from the events. The progress in the bank's state is an event number; new content is always
 * behind it, so that no second queue is needed.
 */
final class Reembedding {
    /** Maximum texts per request; a single event may have more. */
    static final int MAX_TEXTS = 64;

    /** Maximum events that one decision examines. */
    static final int MAX_EXAMINED = 256;

    private Reembedding() {}

    static void reembed(MemoryDraft draft, Reembed command) {
        String generation = command.generation();
        if (draft.state().bank() == null) {
            draft.refuse("unknown_bank", "there is no such bank, so it has no vectors");
        } else if (!draft.view().models().contains(generation)) {
            draft.refuse(
                    "unknown_model",
                    "there is no model '%s' for vectors; there are %s"
                            .formatted(
                                    generation,
                                    String.join(", ", new TreeSet<>(draft.view().models()))));
        } else {
            switchTo(draft, generation);
            draft.accept(command.meta().commandId());
        }
    }

    private static void switchTo(MemoryDraft draft, String generation) {
        Generations now = draft.state().generations();
        if (now.current() == null) {
            change(draft, generation, null, false);
        } else if (!generation.equals(now.current())) {
            change(draft, now.current(), generation, true);
        } else if (now.wanted()) {
            change(draft, now.current(), now.other(), false);
        }
    }

    static void drop(MemoryDraft draft, DropGeneration command) {
        Generations now = draft.state().generations();
        if (now.current() == null || now.other() == null) {
            draft.refuse("no_generation", "the bank has vectors of only one model: there are none to drop");
            return;
        }
        change(draft, now.current(), null, false);
        draft.accept(command.meta().commandId());
    }

    private static void change(MemoryDraft draft, String current, @Nullable String other, boolean wanted) {
        draft.emit(meta -> new GenerationChanged(meta, current, other, wanted));
    }

    private static void set(MemoryDraft draft, Generations generations) {
        draft.change(state -> state.withGenerations(generations));
    }

    /**
     * Time of the next action; null for none. An incomplete branch waits for vectors that are still being copied.
     */
    static @Nullable Instant due(BankState state) {
        return state.branches().arriving() ? null : state.generations().due(state.lastSeq());
    }

    static void tick(MemoryDraft draft) {
        Filling filling = draft.state().generations().filling();
        if (draft.state().branches().arriving()) {
            return;
        }
        if (filling == null) {
            resume(draft);
        } else if (!filling.due().isAfter(draft.now())) {
            send(draft, filling.attempt() + 1, filling.failures());
        }
    }

    /** Requests the next vectors; switches to the other generation when it is complete. */
    private static void resume(MemoryDraft draft) {
        Generations before = draft.state().generations();
        if (before.current() == null || before.other() == null) {
            return;
        }
        if (before.next() <= draft.state().lastSeq()) {
            send(draft, 1, 0);
        }
        Generations after = draft.state().generations();
        if (after.wanted()
                && after.filling() == null
                && after.next() > draft.state().lastSeq()) {
            change(draft, /* current= */ before.other(), /* other= */ before.current(), false);
        }
    }

    private static void send(MemoryDraft draft, int attempt, int failures) {
        Generations now = draft.state().generations();
        Batch batch = Batch.next(draft);
        if (batch.texts().isEmpty()) {
            set(draft, now.upTo(batch.end()));
            return;
        }
        UUID callId = Ids.of("reembed", draft.state().key(), draft.state().lastSeq(), now.next(), attempt);
        var filling = new Filling(
                callId, attempt, failures, draft.now().plus(BankCalls.LEASE), null, batch.parts(), batch.end());
        draft.effect(new MemoryEffect.Embed(new EmbedRequest(
                callId,
                attempt,
                now.other(),
                batch.texts(),
                filling.leaseUntil(),
                draft.now().plus(BankCalls.TIMEOUT))));
        set(draft, now.withFilling(filling));
    }

    /**
     * The texts of the next events.
     *
     * @param parts the events with the numbers of their texts
     * @param end number of the event after the last one examined
     */
    private record Batch(List<FillingPart> parts, List<String> texts, long end) {
        static Batch next(MemoryDraft draft) {
            List<MemoryEvent> log =
                    draft.view().log().from(draft.state().generations().next(), MAX_EXAMINED);
            var parts = new ArrayList<FillingPart>();
            var texts = new ArrayList<String>();
            for (MemoryEvent event : log) {
                List<String> eventTexts = Reembedding.texts(draft, event);
                if (!texts.isEmpty() && texts.size() + eventTexts.size() > MAX_TEXTS) {
                    return new Batch(parts, texts, event.meta().seq());
                }
                if (!eventTexts.isEmpty()) {
                    parts.add(new FillingPart(event.meta().seq(), eventTexts.size()));
                    texts.addAll(eventTexts);
                }
            }
            // The log has all events except those of this decision.
            long last = log.size() < MAX_EXAMINED
                    ? draft.state().lastSeq() - draft.events().size()
                    : log.getLast().meta().seq();
            return new Batch(parts, texts, last + 1);
        }
    }

    /** All content with a vector of the current generation needs one of the other. */
    private static List<String> texts(MemoryDraft draft, MemoryEvent event) {
        String current = draft.state().generations().current();
        return switch (event) {
            case PassagesEmbedded e
            when e.generation().equals(current) && !e.vectors().isEmpty() -> passages(draft, e);
            case UnitLearned e
            when Objects.equals(e.unit().generation(), current) -> List.of(FactIntegration.embeddingText(draft, e));
            case Reflected e when e.isFound() && Objects.equals(e.generation(), current) -> List.of(e.embeddingText());
            case UnitEmbedded e
            when e.generation().equals(current) ->
                event(draft, e.learned()).flatMap(learned -> embeddingText(draft, learned)).stream()
                        .toList();
            case MemoryEvent _ -> List.of();
        };
    }

    private static Optional<String> embeddingText(MemoryDraft draft, MemoryEvent learned) {
        return switch (learned) {
            case UnitLearned e -> Optional.of(FactIntegration.embeddingText(draft, e));
            case Reflected e -> Optional.of(e.embeddingText());
            case MemoryEvent _ -> Optional.empty();
        };
    }

    private static List<String> passages(MemoryDraft draft, PassagesEmbedded event) {
        return draft.memory()
                .document(event.docId())
                .flatMap(document -> document.chunks().stream()
                        .filter(piece -> piece.hash().equals(event.chunk()))
                        .findFirst()
                        .map((Piece piece) -> Passages.of(document.text(piece))))
                .orElse(List.of());
    }

    /** The event of this number, unless it was erased. */
    private static Optional<MemoryEvent> event(MemoryDraft draft, long number) {
        return draft.view().log().from(number, 1).stream()
                .filter(event -> event.meta().seq() == number)
                .findFirst();
    }

    /** Processes a result for the other generation. Returns whether it was one. */
    static boolean onCallResult(MemoryDraft draft, CallResult result) {
        Generations now = draft.state().generations();
        Filling filling = now.filling();
        if (filling == null || !filling.callId().equals(result.callId())) {
            return false;
        }
        boolean failed = filling.retryAt() != null;
        switch (result) {
            case Embedded answer when fits(now, filling, answer) -> onEmbedded(draft, filling, answer);
            case Embedded _, ModelFailed _
            when !failed -> retryLater(draft, filling, BankCalls.backoff(filling.failures()));
            case RetryAfter retryAfter when !failed -> retryLater(draft, filling, retryAfter.delay());
            case CallProgress _
            when !failed ->
                set(draft, now.withFilling(filling.renewLease(draft.now().plus(BankCalls.LEASE))));
            case CallResult _ -> {} // of an earlier attempt, or not the answer to an embedding request
        }
        return true;
    }

    private static void retryLater(MemoryDraft draft, Filling filling, Duration wait) {
        Generations now = draft.state().generations();
        set(draft, now.withFilling(filling.failAttempt(draft.now().plus(wait))));
    }

    private static boolean fits(Generations now, Filling filling, Embedded answer) {
        int texts = filling.parts().stream().mapToInt(FillingPart::texts).sum();
        return answer.generation().equals(now.other()) && BankCalls.isUsable(answer.vectors(), texts);
    }

    private static void onEmbedded(MemoryDraft draft, Filling filling, Embedded answer) {
        int first = 0;
        for (FillingPart part : filling.parts()) {
            List<Vector> vectors = answer.vectors().subList(first, first + part.texts());
            first += part.texts();
            event(draft, part.event())
                    .filter(event -> texts(draft, event).size() == part.texts())
                    .ifPresent(event -> emitVectors(draft, event, answer.generation(), vectors));
        }
        set(draft, draft.state().generations().upTo(filling.to()));
        resume(draft);
    }

    private static void emitVectors(MemoryDraft draft, MemoryEvent event, String generation, List<Vector> vectors) {
        switch (event) {
            case PassagesEmbedded e ->
                draft.emit(meta -> new PassagesEmbedded(meta, e.docId(), e.chunk(), generation, vectors));
            case UnitLearned e ->
                draft.emit(meta -> new UnitEmbedded(
                        meta, e.unit().id(), e.meta().seq(), e.meta().at(), generation, vectors.getFirst()));
            case Reflected e ->
                draft.emit(meta ->
                        new UnitEmbedded(meta, e.id(), e.meta().seq(), e.meta().at(), generation, vectors.getFirst()));
            case UnitEmbedded e ->
                draft.emit(meta ->
                        new UnitEmbedded(meta, e.unitId(), e.learned(), e.since(), generation, vectors.getFirst()));
            case MemoryEvent _ ->
                throw new IllegalStateException(
                        "no vector belongs to event " + event.meta().seq());
        }
    }

    /** An unusable result ends re-embedding: the bank keeps its current generation. */
    static void onUnusableResult(MemoryDraft draft, UUID callId) {
        Generations now = draft.state().generations();
        if (now.current() != null
                && now.filling() != null
                && now.filling().callId().equals(callId)) {
            change(draft, now.current(), null, false);
        }
    }

    /**
     * Gives up the new generation.
     *
     * @param callId the call of its vectors; null if it is due
     */
    static void giveUp(MemoryDraft draft, @Nullable UUID callId) {
        Filling filling = draft.state().generations().filling();
        if (filling != null && BankFaults.isMeant(draft, callId, filling.callId(), filling.due())) {
            onUnusableResult(draft, filling.callId());
        }
    }
}
