package dev.parley.domain.memory;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.LeasedCall;
import dev.parley.domain.protocol.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a bank that are queued for consolidation by a model: those in the list, and those learned after an
 * event.
 *
 * @param to number of the last event whose facts were added to the list
 * @param facts ids of queued facts, next first
 * @param due time of the next request; null if there is nothing to consolidate, or a request is pending
 * @param reader agent whose model extracted the newest ones, or null if rules did
 * @param asking the pending request, or null
 */
public record ReviewQueue(
        long to,
        List<UUID> facts,
        @Nullable Instant due,
        @Nullable Agent reader,
        @Nullable Asking asking) {
    /** Maximum facts in the list; further ones are read from the events later. */
    public static final int MAX_FACTS = 64;

    /** The queue of a new bank. */
    public static final ReviewQueue NONE = new ReviewQueue(0, List.of(), null, null, null);

    public ReviewQueue {
        facts = List.copyOf(facts);
    }

    /**
     * A fact was learned with the event of this number; schedules a request unless one is scheduled or pending.
     *
     * @param newReader agent whose model extracted the fact, or null if rules did
     */
    public ReviewQueue addLearned(long seq, Instant nextRequest, @Nullable Agent newReader) {
        Agent newest = newReader == null ? reader : newReader;
        return due == null && asking == null
                ? new ReviewQueue(facts.isEmpty() ? Math.max(to, seq - 1) : to, facts, nextRequest, newest, null)
                : new ReviewQueue(to, facts, due, newest, asking);
    }

    /** With these queued facts, which include those of the events up to this number. */
    public ReviewQueue withFacts(long upTo, List<UUID> ids) {
        return new ReviewQueue(upTo, ids, due, reader, asking);
    }

    /** Requeues these facts at the end, as far as there is room. */
    public ReviewQueue requeue(List<UUID> ids, Instant nextRequest) {
        List<UUID> merged = Stream.concat(facts.stream(), ids.stream())
                .distinct()
                .limit(MAX_FACTS)
                .toList();
        return new ReviewQueue(to, merged, due == null && asking == null ? nextRequest : due, reader, asking);
    }

    /** Ends the pending request and schedules the next one; null for none. */
    public ReviewQueue schedule(@Nullable Instant nextRequest) {
        return new ReviewQueue(to, facts, nextRequest, reader, null);
    }

    /** With this pending request. */
    public ReviewQueue withAsking(Asking request) {
        return new ReviewQueue(to, facts, null, reader, request);
    }

    /** Whether this is the call of the pending request. */
    public boolean awaits(UUID callId) {
        return asking != null && asking.callId().equals(callId);
    }

    /** Time of the next action. */
    @Nullable
    public Instant nextDue() {
        return asking == null ? due : asking.due();
    }

    /**
     * A pending request to the model, or for the vectors of what the model wrote.
     *
     * @param attempt of the call, from 1
     * @param failures of the call
     * @param leaseUntil when the worker's lease expires and the call is retried
     * @param retryAt time of the next attempt after a failure, or null
     * @param fresh ids of the facts to consolidate
     * @param known ids of related facts shown in addition
     * @param shown related observations
     * @param prompt SHA-256 of the prompt
     * @param answer of the model, or null while it is pending
     * @param model that answered, {@code provider/model}, or null while it is pending
     * @param usage of the call
     */
    @RecordBuilder
    public record Asking(
            UUID callId,
            int attempt,
            int failures,
            Instant leaseUntil,
            @Nullable Instant retryAt,
            List<UUID> fresh,
            List<UUID> known,
            List<Seen> shown,
            String prompt,
            @Nullable String answer,
            @Nullable String model,
            Usage usage)
            implements ReviewQueueAskingBuilder.With, LeasedCall {
        public Asking {
            fresh = List.copyOf(fresh);
            known = List.copyOf(known);
            shown = List.copyOf(shown);
        }

        /** The facts shown to the model. */
        public List<UUID> facts() {
            return Stream.concat(fresh.stream(), known.stream()).toList();
        }

        public Asking failAttempt(Instant nextAttempt) {
            return with().failures(failures + 1).retryAt(nextAttempt).build();
        }

        /** The next attempt. */
        public Asking retry(Instant leaseUntil) {
            return with().attempt(attempt + 1)
                    .leaseUntil(leaseUntil)
                    .retryAt(null)
                    .build();
        }

        /** The model has answered; the vectors of its texts are requested next. */
        public Asking withAnswer(UUID nextCallId, String text, String answeredBy, Usage used, Instant leaseUntil) {
            return new Asking(nextCallId, 1, 0, leaseUntil, null, fresh, known, shown, prompt, text, answeredBy, used);
        }

        /** The model's answer. Only valid if there is one. */
        public String answerText() {
            return Objects.requireNonNull(answer, "it has not answered");
        }
    }

    /** An observation in the version that the model was shown. */
    public record Seen(UUID observation, int version) {}
}
