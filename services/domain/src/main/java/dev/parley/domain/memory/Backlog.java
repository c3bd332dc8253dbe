package dev.parley.domain.memory;

import dev.parley.domain.definition.Agent;
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
public record Backlog(
        long to,
        List<UUID> facts,
        @Nullable Instant due,
        @Nullable Agent reader,
        @Nullable Asking asking) {
    /** Maximum facts in the list; further ones are read from the events later. */
    static final int MAX_FACTS = 64;

    /** The backlog of a new bank. */
    static final Backlog NONE = new Backlog(0, List.of(), null, null, null);

    public Backlog {
        facts = List.copyOf(facts);
    }

    /** A fact was learned with the event of this number; schedules a request unless one is scheduled. */
    Backlog learned(long seq, Instant next, @Nullable Agent whose) {
        Agent newest = whose == null ? reader : whose;
        return due == null && asking == null
                ? new Backlog(facts.isEmpty() ? Math.max(to, seq - 1) : to, facts, next, newest, null)
                : new Backlog(to, facts, due, newest, asking);
    }

    /** Adds facts of the events up to this one. */
    Backlog waiting(long upTo, List<UUID> ids) {
        return new Backlog(upTo, ids, due, reader, asking);
    }

    /** Requeues these facts at the end, as far as there is room. */
    Backlog again(List<UUID> ids, Instant next) {
        List<UUID> all = Stream.concat(facts.stream(), ids.stream())
                .distinct()
                .limit(MAX_FACTS)
                .toList();
        return new Backlog(to, all, due == null && asking == null ? next : due, reader, asking);
    }

    /** Schedules the next request; null for none. */
    Backlog next(@Nullable Instant at) {
        return new Backlog(to, facts, at, reader, null);
    }

    /** With this pending request. */
    Backlog asking(Asking what) {
        return new Backlog(to, facts, null, reader, what);
    }

    /** Whether this is the call of the pending request. */
    boolean awaits(UUID callId) {
        return asking != null && asking.callId().equals(callId);
    }

    /** When the next action is due. */
    @Nullable
    Instant wake() {
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
            implements BacklogAskingBuilder.With {
        public Asking {
            fresh = List.copyOf(fresh);
            known = List.copyOf(known);
            shown = List.copyOf(shown);
        }

        /** The facts shown to the model. */
        List<UUID> facts() {
            return Stream.concat(fresh.stream(), known.stream()).toList();
        }

        Instant due() {
            return retryAt == null ? leaseUntil : retryAt;
        }

        /** With this prompt. */
        Asking told(String what) {
            return withPrompt(what);
        }

        Asking renewed(Instant until) {
            return withLeaseUntil(until);
        }

        Asking failed(Instant again) {
            return with().failures(failures + 1).retryAt(again).build();
        }

        /** Delayed, for example by a rate limit, without counting a failure. */
        Asking later(Instant again) {
            return withRetryAt(again);
        }

        /** The next attempt. */
        Asking again(Instant until) {
            return with().attempt(attempt + 1).leaseUntil(until).retryAt(null).build();
        }

        /** The model has answered; the vectors of its texts are requested next. */
        Asking answered(UUID next, String said, String by, Usage used, Instant until) {
            return new Asking(next, 1, 0, until, null, fresh, known, shown, prompt, said, by, used);
        }

        /** The model's answer. Only valid if there is one. */
        String said() {
            return Objects.requireNonNull(answer, "it has not answered");
        }
    }

    /** An observation in the version that the model was shown. */
    public record Seen(UUID observation, int version) {}
}
