package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.BankState.Read;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.BankState.Work;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.Fact;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.extract.AttributedText;
import dev.parley.domain.memory.extract.DateFinder.DatedSpan;
import dev.parley.domain.memory.extract.ModelExtraction;
import dev.parley.domain.memory.extract.RuleExtraction;
import dev.parley.domain.memory.extract.TextChunk;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.language.time.FoundTime;
import dev.parley.language.time.TimeExpressions;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fact extraction: turns the chunks of documents into units, a limited number at a time; the others are queued.
 */
final class FactExtraction {
    /** Maximum chunks of a bank that are extracted concurrently. */
    static final int AT_ONCE = 8;

    /** Maximum queued chunks that one decision examines: their documents may have been erased. */
    private static final int MAX_EXAMINED = 200;

    /** Name of an agent whose name is unknown. */
    private static final String AGENT = "agent";

    private FactExtraction() {}

    /** Starts extraction of queued chunks, up to the limit. */
    static void startNext(MemoryDraft draft) {
        for (int examined = 0;
                examined < MAX_EXAMINED
                        && draft.state().works().size() < AT_ONCE
                        && draft.state().waitingFrom() < draft.state().waitingNext();
                examined++) {
            long number = draft.state().waitingFrom();
            draft.change(state -> state.waiting(number + 1, state.waitingNext()));
            draft.effect(new MemoryEffect.Dequeue(number));
            findQueued(draft, number).ifPresent(chunk -> send(draft, work(draft, chunk, null)));
        }
    }

    /** Removes the next queued chunk, if one would be started now; its text stays. */
    static void skipNext(MemoryDraft draft) {
        long number = draft.state().waitingFrom();
        if (draft.state().works().size() < AT_ONCE && number < draft.state().waitingNext()) {
            draft.change(state -> state.waiting(number + 1, state.waitingNext()));
            draft.effect(new MemoryEffect.Dequeue(number));
        }
    }

    /** A chunk queued by this same decision is not in the store yet. */
    private static Optional<Waiting> findQueued(MemoryDraft draft, long number) {
        return draft.findQueued(number).or(() -> draft.view().waiting().apply(number));
    }

    /** A call for the model's extraction, or, with one, for the vectors. */
    private static Work work(MemoryDraft draft, Waiting waiting, @Nullable Read read) {
        boolean model = waiting.reader() != null && read == null;
        UUID callId = Ids.of(model ? "read" : "embed", draft.state().key(), waiting.docId(), waiting.chunk());
        return new Work(callId, waiting, 1, 0, draft.now().plus(BankCalls.LEASE), null, read);
    }

    private static void send(MemoryDraft draft, Work work) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isEmpty()) { // the document was erased or has changed
            drop(draft, work);
            return;
        }
        Agent reader = work.waiting().reader();
        if (reader == null || work.read() != null) {
            draft.effect(new MemoryEffect.Embed(embedRequest(draft, work, chunk.get())));
            draft.change(state -> state.withWork(work));
            return;
        }
        ModelRequest request = BankCalls.request(
                draft, work.callId(), work.attempt(), reader, prompt(draft, chunk.get()), work.leaseUntil());
        if (BankCalls.reserve(draft, request)) {
            draft.effect(new MemoryEffect.CallModel(request));
            draft.change(state -> state.withWork(work));
        } else {
            send(draft, withoutModel(draft, work));
        }
    }

    private static Work withoutModel(MemoryDraft draft, Work work) {
        return work(draft, new Waiting(work.waiting().docId(), work.waiting().chunk(), null), null);
    }

    /** Ends the extraction of a chunk; its text stays. */
    static void drop(MemoryDraft draft, Work work) {
        draft.change(state -> state.withoutWork(work).withBudget(state.budget().chargeReservation(work.callId())));
    }

    private static Prompt prompt(MemoryDraft draft, Chunked chunk) {
        BankProfile profile = draft.state().profile();
        return ModelExtraction.prompt(
                chunk.attributedText(), chunk.chunk(), profile == null ? null : profile.background());
    }

    /** An answer to an earlier attempt is equally valid; an unusable one counts once, even if duplicated. */
    private static void onModelAnswered(MemoryDraft draft, Work work, ModelAnswered answer, boolean current) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isEmpty()) {
            charge(draft, answer);
            draft.change(state -> state.withoutWork(work));
            startNext(draft);
            return;
        }
        switch (ModelExtraction.parse(
                Message.text(answer.blocks()), chunk.get().chunk(), chunk.get().attributedText())) {
            case ModelExtraction.Read.Unusable _ when !current -> {}
            case ModelExtraction.Read.Unusable _ -> {
                charge(draft, answer);
                onModelFailed(draft, work);
            }
            case ModelExtraction.Read.Facts found -> {
                charge(draft, answer);
                storeExtraction(draft, work, answer, prompt(draft, chunk.get()).digest(), found.facts());
            }
        }
    }

    private static void charge(MemoryDraft draft, ModelAnswered answer) {
        BankCalls.charge(draft, answer.callId(), answer.usage().tokens());
    }

    /** Stores the model's extraction, and requests the vectors. */
    private static void storeExtraction(
            MemoryDraft draft, Work work, ModelAnswered answer, String prompt, List<Fact> facts) {
        Waiting chunk = work.waiting();
        var read = new Read(ModelExtraction.VERSION, prompt, answer.provider() + "/" + answer.model(), facts);
        draft.emit(meta -> new FactsExtracted(
                meta,
                chunk.docId(),
                chunk.chunk(),
                read.extractor(),
                read.prompt(),
                read.model(),
                answer.usage(),
                read.facts()));
        send(draft, work(draft, chunk, read));
    }

    /** Retries the model, or has rules extract the chunk after the last attempt. */
    private static void onModelFailed(MemoryDraft draft, Work work) {
        if (work.failures() + 1 < BankCalls.MODEL_ATTEMPTS) {
            retryLater(draft, work);
        } else {
            send(draft, withoutModel(draft, work));
        }
    }

    private static EmbedRequest embedRequest(MemoryDraft draft, Work work, Chunked chunk) {
        var texts = Stream.concat(
                        chunk.passages().stream(),
                        facts(chunk, work).stream()
                                .map(fact -> FactIntegration.embeddingText(
                                        fact, chunk.document().zone())))
                .toList();
        return BankCalls.embedRequest(draft, work.callId(), work.attempt(), texts, work.leaseUntil());
    }

    private static List<Fact> facts(Chunked chunk, Work work) {
        return work.read() == null ? chunk.facts() : work.read().facts();
    }

    /** A chunk with its document. */
    record Chunked(Document document, Piece piece) {
        String text() {
            return document.text(piece);
        }

        List<String> passages() {
            return Passages.of(text());
        }

        /** The chunk with its speaker and time. */
        AttributedText attributedText() {
            Utterance saying = document.sayings().get(piece.saying());
            String agent = document.sayings().stream()
                    .filter(other -> other.role() == Role.ASSISTANT && other.speaker() != null)
                    .map(other -> Objects.requireNonNull(other.speaker()))
                    .findFirst()
                    .orElse(AGENT);
            return new AttributedText(
                    text(), saying.role(), saying.speaker(), agent, document.mentionedAt(), document.zone());
        }

        TextChunk chunk() {
            return new TextChunk(document.chunks().indexOf(piece), text(), piece.from(), piece.to(), piece.hash());
        }

        /** The facts extracted by rules. */
        List<Fact> facts() {
            return RuleExtraction.extract(attributedText(), FactExtraction::times);
        }
    }

    private static List<DatedSpan> times(String sentence, Instant reference, ZoneId zone) {
        return TimeExpressions.in(sentence, reference, zone).stream()
                .filter(found -> found.open() == FoundTime.Open.NEITHER)
                .map(found -> new DatedSpan(found.from(), found.to(), found.span()))
                .toList();
    }

    private static Optional<Chunked> chunk(MemoryDraft draft, Waiting waiting) {
        boolean isForgotten = draft.events().stream()
                .anyMatch(event -> event instanceof Forgotten forgotten
                        && (forgotten.whole() || forgotten.documents().contains(waiting.docId())));
        if (isForgotten) { // the memory does not have the events of this decision yet
            return Optional.empty();
        }
        Optional<Document> document =
                draft.document(waiting.docId()).or(() -> draft.memory().document(waiting.docId()));
        return document.flatMap(doc -> doc.chunks().stream()
                .filter(piece -> piece.hash().equals(waiting.chunk()))
                .findFirst()
                .map(piece -> new Chunked(doc, piece)));
    }

    /** Handles a result; ignores late and duplicate ones. */
    static void onCallResult(MemoryDraft draft, CallResult result) {
        draft.state().work(result.callId()).ifPresent(work -> onCallResult(draft, work, result));
    }

    private static void onCallResult(MemoryDraft draft, Work work, CallResult result) {
        boolean current = work.awaits(result);
        switch (result) {
            case Embedded vectors -> onEmbedded(draft, work, vectors, current);
            case ModelAnswered answer when awaitsModel(work) -> onModelAnswered(draft, work, answer, current);
            case ModelFailed failure when current -> onFailure(draft, work, failure);
            case RetryAfter retryAfter when current -> onRetryAfter(draft, work, retryAfter);
            case CallProgress _
            when current ->
                draft.change(state -> state.withWork(work.renewLease(draft.now().plus(BankCalls.LEASE))));
            case ModelAnswered _, ModelFailed _, RetryAfter _, CallProgress _ -> {} // of an earlier attempt
            case CallResult.ToolAnswered _,
                    CallResult.ChildFinished _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    CallResult.Found _ -> {} // no answer to this call
        }
    }

    private static void onFailure(MemoryDraft draft, Work work, ModelFailed failure) {
        if (awaitsModel(work)) {
            BankCalls.charge(draft, failure.callId(), 0);
            onModelFailed(draft, work);
        } else {
            retryLater(draft, work);
        }
    }

    private static void onRetryAfter(MemoryDraft draft, Work work, RetryAfter retryAfter) {
        BankCalls.charge(draft, retryAfter.callId(), 0);
        draft.change(state -> state.withWork(work.failAttempt(draft.now().plus(retryAfter.delay()))));
    }

    private static boolean awaitsModel(Work work) {
        return work.waiting().reader() != null && work.read() == null;
    }

    private static void onEmbedded(MemoryDraft draft, Work work, Embedded answer, boolean current) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isPresent()) {
            List<Fact> facts = facts(chunk.get(), work);
            String generation = draft.state().generations().current();
            boolean isSearched = generation == null || generation.equals(answer.generation());
            int texts = chunk.get().passages().size() + facts.size();
            if (!isSearched || !BankCalls.isUsable(answer.vectors(), texts)) {
                if (current) {
                    retryLater(draft, work);
                }
                return;
            }
            learn(draft, work, chunk.get(), facts, answer);
        }
        draft.change(state -> state.withoutWork(work));
        startNext(draft);
    }

    private static void learn(MemoryDraft draft, Work work, Chunked chunk, List<Fact> facts, Embedded answer) {
        if (draft.state().generations().current() == null) {
            draft.emit(meta -> new GenerationChanged(meta, answer.generation(), null, false));
        }
        int passages = chunk.passages().size();
        passagesEmbedded(draft, work, answer.generation(), answer.vectors().subList(0, passages));
        FactIntegration.learn(
                draft,
                chunk,
                work.read(),
                facts,
                answer.generation(),
                answer.vectors().subList(passages, answer.vectors().size()));
        ConsolidationCalls.queueLearnedFacts(
                draft, work.read() == null ? null : work.waiting().reader());
    }

    private static void passagesEmbedded(MemoryDraft draft, Work work, String generation, List<Vector> vectors) {
        draft.emit(meta -> new PassagesEmbedded(
                meta, work.waiting().docId(), work.waiting().chunk(), generation, vectors));
    }

    /**
     * No answer is usable: rules extract instead of a model; without vectors no units are learned, and the chunk is
     * found by keywords only.
     */
    static void onUnusableResult(MemoryDraft draft, UUID callId) {
        draft.state().work(callId).ifPresent(work -> {
            BankCalls.chargeReservation(draft, callId);
            if (awaitsModel(work)) {
                send(draft, withoutModel(draft, work));
                return;
            }
            if (chunk(draft, work.waiting()).isPresent()) {
                String current = draft.state().generations().current();
                passagesEmbedded(draft, work, current == null ? "" : current, List.of());
            }
            draft.change(state -> state.withoutWork(work));
            startNext(draft);
        });
    }

    /** Drops the extraction of erased documents. */
    static void onErased(MemoryDraft draft, Set<UUID> documents, boolean wholeBank) {
        List<Work> dropped = draft.state().works().stream()
                .filter(work -> wholeBank || documents.contains(work.waiting().docId()))
                .toList();
        dropped.forEach(work -> drop(draft, work));
        startNext(draft);
    }

    private static void retryLater(MemoryDraft draft, Work work) {
        Instant retryAt = draft.now().plus(BankCalls.backoff(work.failures()));
        draft.change(state -> state.withWork(work.failAttempt(retryAt)));
    }

    static void tick(MemoryDraft draft) {
        for (Work work : draft.state().works()) {
            if (!work.due().isAfter(draft.now())) {
                send(draft, work.retry(draft.now().plus(BankCalls.LEASE)));
            }
        }
        startNext(draft);
    }
}
