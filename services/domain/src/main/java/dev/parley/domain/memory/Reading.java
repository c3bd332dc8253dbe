package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.BankState.Work;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.turn.CallResult;
import dev.parley.domain.turn.CallResult.CallProgress;
import dev.parley.domain.turn.CallResult.Embedded;
import dev.parley.domain.turn.CallResult.ModelAnswered;
import dev.parley.domain.turn.CallResult.ModelFailed;
import dev.parley.domain.turn.CallResult.RetryAfter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** How the chunks of documents become units: some at a time, the others wait in their order. */
final class Reading {
    /** How long a worker may be silent about a call before it is asked again. */
    static final Duration LEASE = Duration.ofSeconds(30);

    /** When an answer is of no use any more. */
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /** Chunks of a bank that are read at the same time. */
    static final int AT_ONCE = 8;

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);

    private Reading() {}

    /** Begins to read what waits, as far as there is room. */
    static void startNext(MemoryDraft draft) {
        while (draft.state().works().size() < AT_ONCE
                && draft.state().waitingFrom() < draft.state().waitingNext()) {
            long number = draft.state().waitingFrom();
            draft.change(state -> state.waiting(number + 1, state.waitingNext()));
            draft.effect(new MemoryEffect.Take(number));
            waiting(draft, number).ifPresent(waiting -> start(draft, waiting));
        }
    }

    /** What was put there in this same decision is not in the store yet. */
    private static Optional<Waiting> waiting(MemoryDraft draft, long number) {
        return draft.waits(number).or(() -> draft.view().waiting().apply(number));
    }

    private static void start(MemoryDraft draft, Waiting waiting) {
        UUID callId = Ids.of("embed", draft.state().key(), waiting.docId(), waiting.chunk());
        var work = new Work(callId, waiting, 1, 0, draft.now().plus(LEASE), null, null);
        if (embed(draft, work)) {
            draft.change(state -> state.with(work));
        }
    }

    // ---- what it means

    /** @return whether there is anything to ask */
    private static boolean embed(MemoryDraft draft, Work work) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isEmpty()) {
            return false; // the document is gone, or says something else by now
        }
        var texts = Stream.concat(
                        chunk.get().passages().stream(),
                        facts(chunk.get(), work).stream().map(Learning::meaning))
                .toList();
        draft.effect(new MemoryEffect.Embed(new EmbedRequest(
                work.callId(),
                work.attempt(),
                texts,
                work.leaseUntil(),
                draft.now().plus(DEADLINE))));
        return true;
    }

    private static List<Fact> facts(Chunked chunk, Work work) {
        return work.read() == null ? chunk.facts() : work.read().facts();
    }

    /** A chunk and its document. */
    record Chunked(Document document, Piece piece) {
        String text() {
            return document.text(piece);
        }

        List<String> passages() {
            return Passages.of(text());
        }

        /** What rules find in it. */
        List<Fact> facts() {
            return Learning.byRules(document, piece);
        }
    }

    private static Optional<Chunked> chunk(MemoryDraft draft, Waiting waiting) {
        Optional<Document> document =
                draft.document(waiting.docId()).or(() -> draft.memory().document(waiting.docId()));
        return document.flatMap(doc -> doc.chunks().stream()
                .filter(piece -> piece.hash().equals(waiting.chunk()))
                .findFirst()
                .map(piece -> new Chunked(doc, piece)));
    }

    // ---- answers

    static void answered(MemoryDraft draft, CallResult result) {
        Optional<Work> work = draft.state().work(result.callId());
        if (work.isEmpty()) {
            return; // late, or twice
        }
        boolean current = result.attempt() == work.get().attempt() && work.get().retryAt() == null;
        switch (result) {
            case Embedded vectors -> embedded(draft, work.get(), vectors);
            case ModelFailed failure when current -> failed(draft, work.get());
            case RetryAfter later
            when current ->
                draft.change(state -> state.with(work.get().failed(draft.now().plus(later.delay()))));
            case CallProgress _
            when current ->
                draft.change(state -> state.with(work.get().renewed(draft.now().plus(LEASE))));
            case ModelAnswered _, ModelFailed _, RetryAfter _, CallProgress _ -> {} // of an attempt that was given up
            case CallResult.ToolAnswered _, CallResult.ChildFinished _ -> {} // no answer to a call of a bank
        }
    }

    private static void embedded(MemoryDraft draft, Work work, Embedded answer) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isPresent()) {
            int passages = chunk.get().passages().size();
            List<Fact> facts = facts(chunk.get(), work);
            if (answer.vectors().size() != passages + facts.size()) {
                failed(draft, work);
                return;
            }
            draft.emit(meta -> new PassagesEmbedded(
                    meta,
                    work.waiting().docId(),
                    work.waiting().chunk(),
                    answer.generation(),
                    answer.vectors().subList(0, passages)));
            Learning.learn(
                    draft,
                    chunk.get(),
                    work.read(),
                    facts,
                    answer.generation(),
                    answer.vectors().subList(passages, answer.vectors().size()));
        }
        draft.change(state -> state.without(work));
        startNext(draft);
    }

    private static void failed(MemoryDraft draft, Work work) {
        long millis = Math.min(FIRST_BACKOFF.toMillis() << Math.min(work.failures(), 10), MAX_BACKOFF.toMillis());
        draft.change(state -> state.with(work.failed(draft.now().plusMillis(millis))));
    }

    static void tick(MemoryDraft draft) {
        for (Work work : draft.state().works()) {
            if (!work.due().isAfter(draft.now())) {
                Work again = work.again(draft.now().plus(LEASE));
                boolean asked = embed(draft, again);
                draft.change(state -> asked ? state.with(again) : state.without(work));
            }
        }
        startNext(draft);
    }
}
