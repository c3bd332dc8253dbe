package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.LeasedCall;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a bank that its machine needs for every decision. Its contents are stored separately, one entry per
 * item.
 *
 * @param bank identity, or null before the first command
 * @param lastSeq number of the newest event
 * @param profile or null before the first command
 * @param works chunks being extracted
 * @param waitingFrom number of the first queued chunk
 * @param waitingNext number that the next queued chunk will get
 * @param thoughts reflections in progress
 * @param models mental models
 * @param erased recently erased sessions, newest last
 * @param forgotten when the whole bank was last forgotten: content given before that is ignored; or null
 * @param generations embedding generations
 * @param branches branches of this bank
 * @param budget quota and what was spent of it
 * @param backlog facts queued for consolidation by a model
 * @param expires next expiry of a document, or null
 */
@RecordBuilder
public record BankState(
        RecordKey key,
        @Nullable BankRef bank,
        long lastSeq,
        @Nullable BankProfile profile,
        List<Directive> directives,
        List<Work> works,
        long waitingFrom,
        long waitingNext,
        List<PendingInference> thoughts,
        List<Standing> models,
        List<ErasedSession> erased,
        @Nullable Instant forgotten,
        Generations generations,
        Branches branches,
        Budget budget,
        ReviewQueue backlog,
        @Nullable Instant expires)
        implements BankStateBuilder.With {
    /** Maximum erased sessions to remember, for content of theirs still in transit. */
    private static final int MAX_ERASED = 200;

    public BankState {
        thoughts = List.copyOf(thoughts);
        models = List.copyOf(models);
        erased = List.copyOf(erased);
        directives = List.copyOf(directives);
        works = List.copyOf(works);
    }

    /** The state of an unused key. */
    public static BankState initial(RecordKey key) {
        return BankStateBuilder.builder()
                .key(key)
                .directives(List.of())
                .works(List.of())
                .thoughts(List.of())
                .models(List.of())
                .erased(List.of())
                .generations(Generations.NONE)
                .branches(Branches.NONE)
                .budget(Budget.NEW)
                .backlog(ReviewQueue.NONE)
                .build();
    }

    /** The bank's identity. Only valid if the bank exists. */
    public BankRef open() {
        return Objects.requireNonNull(bank, "the bank was not opened");
    }

    /** Number of chunks queued or being extracted. */
    public long pending() {
        return works.size() + waitingNext - waitingFrom;
    }

    public Optional<Work> work(UUID callId) {
        return works.stream().filter(work -> work.callId().equals(callId)).findFirst();
    }

    public BankState withBank(BankRef ref, long seq, BankProfile value) {
        return with().bank(ref).lastSeq(seq).profile(value).build();
    }

    /** The directives except this one. */
    public List<Directive> directivesBut(UUID id) {
        return directives.stream()
                .filter(directive -> !directive.id().equals(id))
                .toList();
    }

    /** With this directive in place of that with the same id. */
    public BankState withDirective(Directive directive) {
        var updated = new ArrayList<>(directivesBut(directive.id()));
        updated.add(directive);
        return withDirectives(updated);
    }

    /** With this work in place of that for the same chunk. */
    public BankState withWork(Work work) {
        var updated = new ArrayList<>(withoutWork(work).works);
        updated.add(work);
        return withWorks(updated);
    }

    public BankState withoutWork(Work work) {
        return withWorks(works.stream().filter(other -> !other.isFor(work)).toList());
    }

    public BankState waiting(long from, long next) {
        return with().waitingFrom(from).waitingNext(next).build();
    }

    /** With a document that expires at this time; null for none. */
    public BankState expiring(@Nullable Instant expiry) {
        return expiry == null || expires != null && !expiry.isBefore(expires) ? this : withExpires(expiry);
    }

    /** With this inference in place of that with the same id. */
    public BankState withThought(PendingInference thought) {
        var updated = new ArrayList<>(withoutThought(thought).thoughts);
        updated.add(thought);
        return withThoughts(updated);
    }

    public BankState withoutThought(PendingInference thought) {
        return withThoughts(thoughts.stream()
                .filter(other -> !other.id().equals(thought.id()))
                .toList());
    }

    /** With this mental model in place of that with the same id. */
    public BankState withModel(Standing modelState) {
        var updated = new ArrayList<>(withoutModel(modelState.model().id()).models);
        updated.add(modelState);
        return withModels(updated);
    }

    /** Without the mental model of this id. */
    public BankState withoutModel(UUID modelId) {
        return withModels(models.stream()
                .filter(other -> !other.model().id().equals(modelId))
                .toList());
    }

    public Optional<Standing> standing(UUID modelId) {
        return models.stream()
                .filter(other -> other.model().id().equals(modelId))
                .findFirst();
    }

    /**
     * A mental model with the state of its answer.
     *
     * @param begun start of the last refresh; null if a refresh is due immediately
     * @param stale whether facts in its scope have changed since
     * @param version of the answer; 0 if there is none yet
     */
    public record Standing(MentalModel model, @Nullable Instant begun, boolean stale, int version) {
        /** A mental model that was set or changed: it is refreshed immediately. */
        public static Standing of(MentalModel model, int version) {
            return new Standing(model, null, true, version);
        }

        public Standing asStale() {
            return new Standing(model, begun, true, version);
        }

        /** Without the answer, which was erased: it is refreshed immediately. */
        public Standing withoutAnswer() {
            return of(model, version);
        }

        public Standing refreshing(Instant now) {
            return new Standing(model, now, false, version);
        }

        public Standing withAnswer(int answerVersion) {
            return new Standing(model, begun, stale, answerVersion);
        }

        /** Time of the next refresh; empty if nothing has changed. */
        public Optional<Instant> due() {
            return !stale ? Optional.empty() : Optional.of(begun == null ? Instant.EPOCH : begun.plus(model.rest()));
        }
    }

    /** Whether content of a session of this time was erased. */
    public boolean isErased(@Nullable RecordKey session, Instant contentTime) {
        return erased.stream().anyMatch(entry -> entry.session().equals(session) && !contentTime.isAfter(entry.at()));
    }

    public BankState erasing(RecordKey session, Instant time) {
        var updated = new ArrayList<>(erased);
        updated.removeIf(entry -> entry.session().equals(session));
        updated.add(new ErasedSession(session, time));
        return withErased(updated.subList(Math.max(0, updated.size() - MAX_ERASED), updated.size()));
    }

    /** Whether content given at this time was forgotten with the whole bank. */
    public boolean isForgotten(Instant contentTime) {
        return forgotten != null && !contentTime.isAfter(forgotten);
    }

    public BankState erasing(Instant time) {
        return isForgotten(time) ? this : withForgotten(time);
    }

    /** A session that was erased from the bank: its content until this time is ignored if it arrives late. */
    public record ErasedSession(RecordKey session, Instant at) {}

    /**
     * A chunk being extracted.
     *
     * @param attempt of the call, from 1
     * @param failures of the call
     * @param leaseUntil when the worker's lease expires and the call is retried
     * @param retryAt time of the next attempt after a failure, or null
     * @param waiting the chunk and how to extract it
     * @param read the model's extraction, or null while it is pending
     */
    public record Work(
            UUID callId,
            Waiting waiting,
            int attempt,
            int failures,
            Instant leaseUntil,
            @Nullable Instant retryAt,
            @Nullable Read read)
            implements LeasedCall {
        boolean isFor(Work other) {
            return waiting.docId().equals(other.waiting.docId())
                    && waiting.chunk().equals(other.waiting.chunk());
        }

        public Work renewLease(Instant leaseUntil) {
            return new Work(callId, waiting, attempt, failures, leaseUntil, retryAt, read);
        }

        public Work failAttempt(Instant nextAttempt) {
            return new Work(callId, waiting, attempt, failures + 1, leaseUntil, nextAttempt, read);
        }

        /** The next attempt. */
        public Work retry(Instant leaseUntil) {
            return new Work(callId, waiting, attempt + 1, failures, leaseUntil, null, read);
        }
    }

    /**
     * A chunk queued for extraction.
     *
     * @param chunk hash of its text: if the document's text has changed by then, the chunk is skipped
     * @param reader agent whose model extracts facts, or null for rules
     */
    public record Waiting(
            UUID docId, String chunk, @Nullable Agent reader) {}

    /**
     * The facts that a model extracted from a chunk.
     *
     * @param prompt SHA-256 of the prompt
     */
    public record Read(String extractor, String prompt, String model, List<Fact> facts) {
        public Read {
            facts = List.copyOf(facts);
        }
    }
}
