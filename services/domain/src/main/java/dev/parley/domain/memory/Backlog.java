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
 * The facts of a bank that a model is still to look at: those in the list, and those that were learned after an event.
 *
 * @param to number of the event up to which facts were put in the list
 * @param facts ids of some that wait, the first one the next
 * @param due when the next question is asked; null where there is none to ask, or one is being asked
 * @param reader whose model found the newest ones, or null where rules did
 * @param asking what is being asked, or null
 */
public record Backlog(
        long to,
        List<UUID> facts,
        @Nullable Instant due,
        @Nullable Agent reader,
        @Nullable Asking asking) {
    /** Most facts in the list; the others wait among the events. */
    static final int MAX_FACTS = 64;

    /** Of a new bank. */
    static final Backlog NONE = new Backlog(0, List.of(), null, null, null);

    public Backlog {
        facts = List.copyOf(facts);
    }

    /** There is a fact with the event of this number; the next question is asked at this time, where none was due before. */
    Backlog learned(long seq, Instant next, @Nullable Agent whose) {
        Agent newest = whose == null ? reader : whose;
        return due == null && asking == null
                ? new Backlog(facts.isEmpty() ? Math.max(to, seq - 1) : to, facts, next, newest, null)
                : new Backlog(to, facts, due, newest, asking);
    }

    /** These facts wait, of the events up to this one. */
    Backlog waiting(long upTo, List<UUID> ids) {
        return new Backlog(upTo, ids, due, reader, asking);
    }

    /** These facts wait again, behind the others; those for which there is no room do not. */
    Backlog again(List<UUID> ids, Instant next) {
        List<UUID> all = Stream.concat(facts.stream(), ids.stream())
                .distinct()
                .limit(MAX_FACTS)
                .toList();
        return new Backlog(to, all, due == null && asking == null ? next : due, reader, asking);
    }

    /** The next question is asked at this time; null for no time. */
    Backlog next(@Nullable Instant at) {
        return new Backlog(to, facts, at, reader, null);
    }

    /** This is being asked. */
    Backlog asking(Asking what) {
        return new Backlog(to, facts, null, reader, what);
    }

    /** What is being asked, where there is such a call. */
    boolean awaits(UUID callId) {
        return asking != null && asking.callId().equals(callId);
    }

    /** When something has to be done. */
    @Nullable
    Instant wake() {
        return asking == null ? due : asking.due();
    }

    /**
     * A question to a model, or to whoever makes vectors of what it wrote.
     *
     * @param attempt of the call, from 1
     * @param failures of the call
     * @param leaseUntil when it is asked again, if nobody says that they have it
     * @param retryAt when it is asked again, after a failure; or null
     * @param fresh ids of the facts that are to be looked at
     * @param known ids of facts near them that are shown, too
     * @param shown the observations near them
     * @param prompt SHA-256 of what the model is told
     * @param answer what it answered, or null until then
     * @param model which one did, {@code provider/model}, or null until then
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

        /** The facts that are shown. */
        List<UUID> facts() {
            return Stream.concat(fresh.stream(), known.stream()).toList();
        }

        Instant due() {
            return retryAt == null ? leaseUntil : retryAt;
        }

        /** Whoever answers is told this. */
        Asking told(String what) {
            return withPrompt(what);
        }

        Asking renewed(Instant until) {
            return withLeaseUntil(until);
        }

        Asking failed(Instant again) {
            return with().failures(failures + 1).retryAt(again).build();
        }

        /** It is put off: a rate limit is no failure. */
        Asking later(Instant again) {
            return withRetryAt(again);
        }

        /** Asked once more. */
        Asking again(Instant until) {
            return with().attempt(attempt + 1).leaseUntil(until).retryAt(null).build();
        }

        /** The model has answered; what it wrote is asked for its meaning. */
        Asking answered(UUID next, String said, String by, Usage used, Instant until) {
            return new Asking(next, 1, 0, until, null, fresh, known, shown, prompt, said, by, used);
        }

        /** What the model answered; call it only where it has. */
        String said() {
            return Objects.requireNonNull(answer, "it has not answered");
        }
    }

    /** An observation as a model was shown it. */
    public record Seen(UUID observation, int version) {}
}
