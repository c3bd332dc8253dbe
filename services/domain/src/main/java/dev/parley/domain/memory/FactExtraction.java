package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankState.Read;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.BankState.Work;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.extract.Chunk;
import dev.parley.domain.memory.extract.DateFinder.DatedSpan;
import dev.parley.domain.memory.extract.ModelExtraction;
import dev.parley.domain.memory.extract.Rules;
import dev.parley.domain.memory.extract.Utterance;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.language.time.Found;
import dev.parley.language.time.TimeExpressions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fact extraction: turns the chunks of documents into units, a limited number at a time; the others are queued. It is
 * long because a chunk can be extracted by rules or by a model, and each result continues what another began.
 */
final class FactExtraction {
    /** How long a worker may go without renewing its lease on a call before the call is retried. */
    static final Duration LEASE = Duration.ofSeconds(30);

    /** Timeout of a call. */
    static final Duration DEADLINE = Duration.ofMinutes(5);

    /** Maximum chunks of a bank that are extracted concurrently. */
    static final int AT_ONCE = 8;

    /** Maximum queued chunks that one decision examines: their documents may be gone. */
    private static final int MAX_EXAMINED = 200;

    /** Maximum attempts to extract a chunk with a model. */
    static final int MODEL_ATTEMPTS = 3;

    /** Name of an agent whose name is unknown. */
    private static final String AGENT = "agent";

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);

    private FactExtraction() {}

    /** Starts extraction of queued chunks, up to the limit. */
    static void startNext(MemoryDraft draft) {
        for (int looked = 0;
                looked < MAX_EXAMINED
                        && draft.state().works().size() < AT_ONCE
                        && draft.state().waitingFrom() < draft.state().waitingNext();
                looked++) {
            long number = draft.state().waitingFrom();
            draft.change(state -> state.waiting(number + 1, state.waitingNext()));
            draft.effect(new MemoryEffect.Take(number));
            waiting(draft, number).ifPresent(waiting -> ask(draft, work(draft, waiting, null)));
        }
    }

    /** A chunk queued by this same decision is not in the store yet. */
    private static Optional<Waiting> waiting(MemoryDraft draft, long number) {
        return draft.waits(number).or(() -> draft.view().waiting().apply(number));
    }

    /** Requests the model's extraction, or, with one, the vectors. */
    private static Work work(MemoryDraft draft, Waiting waiting, @Nullable Read read) {
        boolean model = waiting.reader() != null && read == null;
        UUID callId = Ids.of(model ? "read" : "embed", draft.state().key(), waiting.docId(), waiting.chunk());
        return new Work(callId, waiting, 1, 0, draft.now().plus(LEASE), null, read);
    }

    private static void ask(MemoryDraft draft, Work work) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isEmpty()) { // the document is gone, or says something else by now
            draft.change(state -> state.without(work).withBudget(state.budget().lost(work.callId())));
            return;
        }
        Agent reader = work.waiting().reader();
        if (reader == null || work.read() != null) {
            draft.effect(new MemoryEffect.Embed(request(draft, work, chunk.get())));
            draft.change(state -> state.with(work));
            return;
        }
        ModelRequest request = request(draft, work, chunk.get(), reader);
        if (spends(draft, request)) {
            draft.effect(new MemoryEffect.AskModel(request));
            draft.change(state -> state.with(work));
        } else {
            ask(draft, byRules(draft, work));
        }
    }

    /** Reserves the maximum cost of a call in today's budget. Returns whether it suffices. */
    static boolean spends(MemoryDraft draft, ModelRequest request) {
        Budget budget = draft.state().budget().on(draft.now());
        boolean allowed = budget.lost(request.callId()).allows(most(request));
        draft.change(state -> state.withBudget(
                allowed ? budget.asked(request.callId(), most(request)) : budget.lost(request.callId())));
        return allowed;
    }

    /** Charges the reservation of a call whose usage will never be reported. */
    static void lost(MemoryDraft draft, UUID callId) {
        draft.change(state -> state.withBudget(state.budget().lost(callId)));
    }

    private static Work byRules(MemoryDraft draft, Work work) {
        return work(draft, new Waiting(work.waiting().docId(), work.waiting().chunk(), null), null);
    }

    /** Maximum tokens of a call: a token has at least one byte. */
    private static long most(ModelRequest request) {
        long told = bytes(request.agent().prompt());
        for (Message message : request.messages()) {
            told += bytes(message.text());
        }
        return told + Budget.ANSWER;
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Charges the reported usage of a call. */
    static void used(MemoryDraft draft, UUID callId, long tokens) {
        draft.change(state -> state.withBudget(state.budget().on(draft.now()).used(callId, tokens)));
    }

    // ---- extraction by a model

    private static ModelRequest request(MemoryDraft draft, Work work, Chunked chunk, Agent reader) {
        return request(draft, work.callId(), work.attempt(), reader, prompt(draft, chunk), work.leaseUntil());
    }

    /** A request to a model, without tools. */
    static ModelRequest request(
            MemoryDraft draft, UUID callId, int attempt, Agent reader, Prompt prompt, Instant leaseUntil) {
        BankRef bank = draft.state().open();
        return new ModelRequest(
                callId,
                bank.host(),
                bank.id(),
                null,
                0,
                attempt,
                ModelRequest.Purpose.MEMORY,
                reader.forMemory(prompt.system()),
                null,
                List.of(Message.text(Role.USER, prompt.user())),
                null,
                List.of(),
                List.of(),
                false,
                bank.user(),
                leaseUntil,
                draft.now().plus(DEADLINE));
    }

    private static Prompt prompt(MemoryDraft draft, Chunked chunk) {
        BankProfile profile = draft.state().profile();
        return ModelExtraction.prompt(chunk.said(), chunk.chunk(), profile == null ? null : profile.background());
    }

    /** An answer to an earlier attempt is equally valid; an unusable one counts once, even if duplicated. */
    private static void read(MemoryDraft draft, Work work, ModelAnswered answer, boolean current) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isEmpty()) {
            used(draft, answer.callId(), answer.usage().tokens());
            draft.change(state -> state.without(work));
            startNext(draft);
            return;
        }
        switch (ModelExtraction.parse(
                Message.text(answer.blocks()), chunk.get().chunk(), chunk.get().said())) {
            case ModelExtraction.Read.Unusable _ -> {
                if (current) {
                    used(draft, answer.callId(), answer.usage().tokens());
                    unread(draft, work);
                }
            }
            case ModelExtraction.Read.Facts found -> {
                used(draft, answer.callId(), answer.usage().tokens());
                Prompt prompt = prompt(draft, chunk.get());
                String hash = prompt.digest();
                String model = answer.provider() + "/" + answer.model();
                draft.emit(meta -> new FactsExtracted(
                        meta,
                        work.waiting().docId(),
                        work.waiting().chunk(),
                        ModelExtraction.VERSION,
                        hash,
                        model,
                        answer.usage(),
                        found.facts()));
                var read = new Read(ModelExtraction.VERSION, hash, model, found.facts());
                ask(draft, work(draft, work.waiting(), read));
            }
        }
    }

    /** Retries the model, or has rules extract the chunk after the last attempt. */
    private static void unread(MemoryDraft draft, Work work) {
        if (work.failures() + 1 < MODEL_ATTEMPTS) {
            failed(draft, work);
        } else {
            ask(draft, byRules(draft, work));
        }
    }

    // ---- embedding

    private static EmbedRequest request(MemoryDraft draft, Work work, Chunked chunk) {
        var texts = Stream.concat(
                        chunk.passages().stream(), facts(chunk, work).stream().map(FactIntegration::meaning))
                .toList();
        return new EmbedRequest(
                work.callId(),
                work.attempt(),
                draft.state().generations().current(),
                texts,
                work.leaseUntil(),
                draft.now().plus(DEADLINE));
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
        Utterance said() {
            Saying saying = document.sayings().get(piece.saying());
            String agent = document.sayings().stream()
                    .filter(other -> other.role() == Role.ASSISTANT && other.speaker() != null)
                    .map(other -> Objects.requireNonNull(other.speaker()))
                    .findFirst()
                    .orElse(AGENT);
            return new Utterance(
                    text(), saying.role(), saying.speaker(), agent, document.mentionedAt(), ZoneOffset.UTC);
        }

        Chunk chunk() {
            return new Chunk(document.chunks().indexOf(piece), text(), piece.from(), piece.to(), piece.hash());
        }

        /** The facts extracted by rules. */
        List<Fact> facts() {
            return Rules.extract(said(), FactExtraction::times);
        }
    }

    private static List<DatedSpan> times(String sentence, Instant reference, ZoneId zone) {
        return TimeExpressions.in(sentence, reference, zone).stream()
                .filter(found -> found.open() == Found.Open.NEITHER)
                .map(found -> new DatedSpan(found.from(), found.to(), found.span()))
                .toList();
    }

    private static Optional<Chunked> chunk(MemoryDraft draft, Waiting waiting) {
        boolean gone = draft.events().stream()
                .anyMatch(event -> event instanceof Forgotten forgotten
                        && (forgotten.whole() || forgotten.documents().contains(waiting.docId())));
        if (gone) { // what is known is what was before this decision
            return Optional.empty();
        }
        Optional<Document> document =
                draft.document(waiting.docId()).or(() -> draft.memory().document(waiting.docId()));
        return document.flatMap(doc -> doc.chunks().stream()
                .filter(piece -> piece.hash().equals(waiting.chunk()))
                .findFirst()
                .map(piece -> new Chunked(doc, piece)));
    }

    // ---- results

    static void answered(MemoryDraft draft, CallResult result) {
        Optional<Work> work = draft.state().work(result.callId());
        if (work.isEmpty()) {
            return; // late, or twice
        }
        boolean current = result.attempt() == work.get().attempt() && work.get().retryAt() == null;
        switch (result) {
            case Embedded vectors -> embedded(draft, work.get(), vectors, current);
            case ModelAnswered answer when isRead(work.get()) -> read(draft, work.get(), answer, current);
            case ModelFailed _
            when current && isRead(work.get()) -> {
                used(draft, result.callId(), 0);
                unread(draft, work.get());
            }
            case ModelFailed _ when current -> failed(draft, work.get());
            case RetryAfter later
            when current -> {
                used(draft, result.callId(), 0);
                draft.change(state -> state.with(work.get().failed(draft.now().plus(later.delay()))));
            }
            case CallProgress _
            when current ->
                draft.change(state -> state.with(work.get().renewed(draft.now().plus(LEASE))));
            case ModelAnswered _, ModelFailed _, RetryAfter _, CallProgress _ -> {} // of an attempt that was given up
            case CallResult.ToolAnswered _,
                    CallResult.ChildFinished _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    CallResult.Found _ -> {} // no answer to this call
        }
    }

    private static boolean isRead(Work work) {
        return work.waiting().reader() != null && work.read() == null;
    }

    private static void embedded(MemoryDraft draft, Work work, Embedded answer, boolean current) {
        Optional<Chunked> chunk = chunk(draft, work.waiting());
        if (chunk.isPresent()) {
            int passages = chunk.get().passages().size();
            List<Fact> facts = facts(chunk.get(), work);
            String generation = draft.state().generations().current();
            boolean known =
                    generation == null || generation.equals(answer.generation()); // another one is searched since
            if (!known || !isUsable(answer.vectors(), passages + facts.size())) {
                if (current) {
                    failed(draft, work);
                }
                return;
            }
            if (generation == null) {
                draft.emit(meta -> new GenerationChanged(meta, answer.generation(), null, false));
            }
            draft.emit(meta -> new PassagesEmbedded(
                    meta,
                    work.waiting().docId(),
                    work.waiting().chunk(),
                    answer.generation(),
                    answer.vectors().subList(0, passages)));
            FactIntegration.learn(
                    draft,
                    chunk.get(),
                    work.read(),
                    facts,
                    answer.generation(),
                    answer.vectors().subList(passages, answer.vectors().size()));
            ModelConsolidating.learned(
                    draft, work.read() == null ? null : work.waiting().reader());
        }
        draft.change(state -> state.without(work));
        startNext(draft);
    }

    /** Whether there is one vector per text, all of the same dimension and not zero. */
    static boolean isUsable(List<Vector> vectors, int texts) {
        return vectors.size() == texts
                && vectors.stream()
                        .allMatch(vector -> vector.isDirected()
                                && vector.size() == vectors.getFirst().size());
    }

    /**
     * No answer is usable: rules extract instead of a model; without vectors no units are learned, and the chunk is
     * found by keywords only.
     */
    static void giveUp(MemoryDraft draft, UUID callId) {
        draft.state().work(callId).ifPresent(work -> {
            lost(draft, callId);
            if (isRead(work)) {
                ask(draft, byRules(draft, work));
                return;
            }
            if (chunk(draft, work.waiting()).isPresent()) { // it does not wait any more
                String current = draft.state().generations().current();
                draft.emit(meta -> new PassagesEmbedded(
                        meta,
                        work.waiting().docId(),
                        work.waiting().chunk(),
                        current == null ? "" : current,
                        List.of()));
            }
            draft.change(state -> state.without(work));
            startNext(draft);
        });
    }

    /** Drops the extraction of erased documents. */
    static void forget(MemoryDraft draft, Set<UUID> documents, boolean whole) {
        List<Work> gone = draft.state().works().stream()
                .filter(work -> whole || documents.contains(work.waiting().docId()))
                .toList();
        for (Work work : gone) {
            draft.change(state -> state.without(work).withBudget(state.budget().lost(work.callId())));
        }
        startNext(draft);
    }

    private static void failed(MemoryDraft draft, Work work) {
        Instant again = draft.now().plus(backoff(work.failures()));
        draft.change(state -> state.with(work.failed(again)));
    }

    /** The back-off after this many failures. */
    static Duration backoff(int failures) {
        return Duration.ofMillis(Math.min(FIRST_BACKOFF.toMillis() << Math.min(failures, 10), MAX_BACKOFF.toMillis()));
    }

    static void tick(MemoryDraft draft) {
        for (Work work : draft.state().works()) {
            if (!work.due().isAfter(draft.now())) {
                Work again = work.again(draft.now().plus(LEASE));
                ask(draft, again);
            }
        }
        startNext(draft);
    }
}
