package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.turn.Agent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The header of a bank: what its machine needs at every step. What the bank knows stands in the store, an item an entry.
 *
 * @param bank whose it is, or null before its first command
 * @param lastSeq number of its newest event
 * @param profile what it is like, or null before its first command
 * @param works chunks that are being read
 * @param waitingFrom number of the first chunk that waits to be read
 * @param waitingNext number of the next chunk that will wait
 * @param generations which models its vectors are of
 * @param branches banks that are made of what it knew
 * @param budget what it may spend, and has spent
 */
public record BankState(
        RecordKey key,
        @Nullable BankRef bank,
        long lastSeq,
        @Nullable BankProfile profile,
        List<Directive> directives,
        List<Work> works,
        long waitingFrom,
        long waitingNext,
        Generations generations,
        Branches branches,
        Budget budget) {
    public BankState {
        directives = List.copyOf(directives);
        works = List.copyOf(works);
    }

    /** A key that nothing has happened to. */
    public static BankState initial(RecordKey key) {
        return new BankState(
                key, null, 0, null, List.of(), List.of(), 0, 0, Generations.NONE, Branches.NONE, Budget.NEW);
    }

    /** Whose it is; call it only where there is one. */
    public BankRef open() {
        return Objects.requireNonNull(bank, "the bank was not opened");
    }

    /** How many chunks wait or are being read. */
    public long pending() {
        return works.size() + waitingNext - waitingFrom;
    }

    Optional<Work> work(UUID callId) {
        return works.stream().filter(work -> work.callId().equals(callId)).findFirst();
    }

    BankState opened(BankRef ref, long seq, BankProfile value) {
        return new BankState(
                key, ref, seq, value, directives, works, waitingFrom, waitingNext, generations, branches, budget);
    }

    BankState at(long seq) {
        return new BankState(
                key, bank, seq, profile, directives, works, waitingFrom, waitingNext, generations, branches, budget);
    }

    BankState withDirectives(List<Directive> value) {
        return new BankState(
                key, bank, lastSeq, profile, value, works, waitingFrom, waitingNext, generations, branches, budget);
    }

    /** Without the directive of this id. */
    List<Directive> directivesBut(UUID id) {
        return directives.stream()
                .filter(directive -> !directive.id().equals(id))
                .toList();
    }

    /** With this work in place of the one for the same chunk. */
    BankState with(Work work) {
        var all = new ArrayList<>(without(work).works);
        all.add(work);
        return withWorks(all);
    }

    BankState without(Work work) {
        return withWorks(works.stream().filter(other -> !other.isFor(work)).toList());
    }

    BankState withWorks(List<Work> value) {
        return new BankState(
                key,
                bank,
                lastSeq,
                profile,
                directives,
                value,
                waitingFrom,
                waitingNext,
                generations,
                branches,
                budget);
    }

    BankState waiting(long from, long next) {
        return new BankState(key, bank, lastSeq, profile, directives, works, from, next, generations, branches, budget);
    }

    BankState withGenerations(Generations value) {
        return new BankState(
                key, bank, lastSeq, profile, directives, works, waitingFrom, waitingNext, value, branches, budget);
    }

    BankState withBranches(Branches value) {
        return new BankState(
                key, bank, lastSeq, profile, directives, works, waitingFrom, waitingNext, generations, value, budget);
    }

    BankState withBudget(Budget value) {
        return new BankState(
                key, bank, lastSeq, profile, directives, works, waitingFrom, waitingNext, generations, branches, value);
    }

    /**
     * A chunk that is being read.
     *
     * @param attempt of the call, from 1
     * @param failures of the call
     * @param leaseUntil when it is asked again, if nobody says that they have it
     * @param retryAt when it is asked again, after a failure; or null
     * @param waiting what is to be read, and how
     * @param read what a model found in it, or null until then
     */
    public record Work(
            UUID callId,
            Waiting waiting,
            int attempt,
            int failures,
            Instant leaseUntil,
            @Nullable Instant retryAt,
            @Nullable Read read) {

        /** When something has to be done about it. */
        Instant due() {
            return retryAt == null ? leaseUntil : retryAt;
        }

        boolean isFor(Work other) {
            return waiting.docId().equals(other.waiting.docId())
                    && waiting.chunk().equals(other.waiting.chunk());
        }

        Work renewed(Instant until) {
            return new Work(callId, waiting, attempt, failures, until, retryAt, read);
        }

        Work failed(Instant again) {
            return new Work(callId, waiting, attempt, failures + 1, leaseUntil, again, read);
        }

        /** Asked once more. */
        Work again(Instant until) {
            return new Work(callId, waiting, attempt + 1, failures, until, null, read);
        }
    }

    /**
     * A chunk that waits to be read.
     *
     * @param chunk hash of its text: when the document has another text by then, it is not read
     * @param reader whose model finds the facts, or null for rules
     */
    public record Waiting(
            UUID docId, String chunk, @Nullable Agent reader) {}

    /**
     * What a model found in a chunk.
     *
     * @param prompt SHA-256 of what it was told
     */
    public record Read(String extractor, String prompt, String model, List<Fact> facts) {
        public Read {
            facts = List.copyOf(facts);
        }
    }
}
