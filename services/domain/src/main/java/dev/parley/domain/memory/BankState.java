package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.definition.Agent;
import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param thoughts questions that it thinks about
 * @param models questions that it always has an answer to
 * @param erased sessions that were erased lately, the newest last
 * @param forgotten when it was last told to forget everything: what was given until then and comes late is not taken in; or null
 * @param generations which models its vectors are of
 * @param branches banks that are made of what it knew
 * @param budget what it may spend, and has spent
 * @param backlog the facts that a model is still to look at
 * @param expires when the next document is to be forgotten, or null for never
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
        List<Thought> thoughts,
        List<Standing> models,
        List<ErasedSession> erased,
        @Nullable Instant forgotten,
        Generations generations,
        Branches branches,
        Budget budget,
        Backlog backlog,
        @Nullable Instant expires)
        implements BankStateBuilder.With {
    /** Erased sessions that are kept in mind: so many can have words on their way. */
    private static final int MOST_ERASED = 200;

    public BankState {
        thoughts = List.copyOf(thoughts);
        models = List.copyOf(models);
        erased = List.copyOf(erased);
        directives = List.copyOf(directives);
        works = List.copyOf(works);
    }

    /** A key that nothing has happened to. */
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
                .backlog(Backlog.NONE)
                .build();
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
        return with().bank(ref).lastSeq(seq).profile(value).build();
    }

    BankState at(long seq) {
        return withLastSeq(seq);
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

    BankState waiting(long from, long next) {
        return with().waitingFrom(from).waitingNext(next).build();
    }

    /** There is a document that is to be forgotten at this time; null for never. */
    BankState expiring(@Nullable Instant at) {
        return at == null || expires != null && !at.isBefore(expires) ? this : withExpires(at);
    }

    /** With this thought in place of the one of the same id. */
    BankState with(Thought thought) {
        var all = new ArrayList<>(without(thought).thoughts);
        all.add(thought);
        return withThoughts(all);
    }

    BankState without(Thought thought) {
        return withThoughts(thoughts.stream()
                .filter(other -> !other.id().equals(thought.id()))
                .toList());
    }

    /** With this mental model in place of the one of the same id. */
    BankState with(Standing standing) {
        var all = new ArrayList<>(without(standing.model().id()).models);
        all.add(standing);
        return withModels(all);
    }

    /** Without the mental model of this id. */
    BankState without(UUID modelId) {
        return withModels(models.stream()
                .filter(other -> !other.model().id().equals(modelId))
                .toList());
    }

    Optional<Standing> standing(UUID modelId) {
        return models.stream()
                .filter(other -> other.model().id().equals(modelId))
                .findFirst();
    }

    /**
     * A mental model, and how its answer stands.
     *
     * @param begun when it was last begun to be made anew; null where that has to be done at once
     * @param stale whether something has changed since that it may rest on
     * @param version of its answer; 0 where there was none yet
     */
    public record Standing(MentalModel model, @Nullable Instant begun, boolean stale, int version) {
        /** When it is to be made anew, or empty where nothing has changed. */
        Optional<Instant> due() {
            return !stale ? Optional.empty() : Optional.of(begun == null ? Instant.EPOCH : begun.plus(model.rest()));
        }
    }

    /** Whether what was said in a session at this time is erased. */
    boolean isErased(@Nullable RecordKey session, Instant said) {
        return erased.stream().anyMatch(one -> one.session().equals(session) && !said.isAfter(one.at()));
    }

    BankState erasing(RecordKey session, Instant at) {
        var all = new ArrayList<>(erased.stream()
                .filter(one -> !one.session().equals(session))
                .skip(Math.max(0, erased.size() + 1 - MOST_ERASED))
                .toList());
        all.add(new ErasedSession(session, at));
        return withErased(all);
    }

    /** Whether all that was given at this time is forgotten. */
    boolean isForgotten(Instant given) {
        return forgotten != null && !given.isAfter(forgotten);
    }

    BankState erasing(Instant at) {
        return isForgotten(at) ? this : withForgotten(at);
    }

    /** A session that the bank was told to forget: what was said in it until then and comes late is not taken in. */
    public record ErasedSession(RecordKey session, Instant at) {}

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
