package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.reflect.Conclusion;
import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.CallResult.Sighting;
import dev.parley.domain.turn.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question that a bank thinks about: it searches, a model or rules answer, and what the answer means is asked.
 *
 * @param id of the command, or of the refresh of a mental model
 * @param model the mental model that is made anew, or null
 * @param ask what is asked
 * @param outcomePartition where somebody waits, or null
 * @param by who asked, or null
 * @param deadline when rules answer with what was found until then
 * @param step what is awaited
 * @param call which of its calls that is, from 1; no two have the same number
 * @param callId of that call
 * @param attempt of the call, from 1
 * @param failures of the call
 * @param leaseUntil when it is asked again, if nobody says that they have it
 * @param retryAt when it is asked again, after a failure; or null
 * @param modelCalls how often a model was asked
 * @param searches what was looked for besides the question
 * @param found ids of what was found, the best of each search first
 * @param shown ids of what a model was shown, in the order of their numbers
 * @param objection why the first answer was not given, as a kind of thing; or null
 * @param usage of the model calls
 * @param conclusion the answer, when it is there
 */
public record Thought(
        UUID id,
        @Nullable UUID model,
        Ask ask,
        @Nullable Integer outcomePartition,
        @Nullable String by,
        Instant deadline,
        Step step,
        int call,
        UUID callId,
        int attempt,
        int failures,
        Instant leaseUntil,
        @Nullable Instant retryAt,
        int modelCalls,
        List<String> searches,
        List<Sighting> found,
        List<String> shown,
        @Nullable String objection,
        Usage usage,
        @Nullable Conclusion conclusion) {
    public Thought {
        searches = List.copyOf(searches);
        found = List.copyOf(found);
        shown = List.copyOf(shown);
    }

    /** What a thought waits for. */
    public enum Step {
        SEARCH,
        ANSWER,
        MEANING
    }

    /**
     * What is asked.
     *
     * @param asker who asks and what for, in words for a model; or null
     * @param session where it is asked, or null
     * @param tags of which what it rests on has one; empty for any
     * @param types of units that it rests on; empty for all
     * @param maxTokens about how long the answer may be
     * @param reader whose model answers, or null for rules
     */
    public record Ask(
            String question,
            @Nullable String asker,
            @Nullable RecordKey session,
            List<String> tags,
            List<FactType> types,
            int maxTokens,
            @Nullable Agent reader) {
        public Ask {
            tags = List.copyOf(tags);
            types = List.copyOf(types);
        }

        Ask byRules() {
            return new Ask(question, asker, session, tags, types, maxTokens, null);
        }
    }

    /** One that has just come, and searches. */
    static Thought of(
            RecordKey bank,
            UUID id,
            @Nullable UUID model,
            Ask ask,
            @Nullable Integer partition,
            @Nullable String by,
            Instant now,
            Duration patience,
            Duration lease) {
        return new Thought(
                id,
                model,
                ask,
                partition,
                by,
                now.plus(patience),
                Step.SEARCH,
                1,
                callId(bank, id, 1),
                1,
                0,
                now.plus(lease),
                null,
                0,
                List.of(),
                List.of(),
                List.of(),
                null,
                Usage.NONE,
                null);
    }

    private static UUID callId(RecordKey bank, UUID id, int call) {
        return Ids.of("reflect", bank, id, call);
    }

    /** When something has to be done about it. */
    Instant due() {
        Instant next = retryAt == null ? leaseUntil : retryAt;
        return next.isBefore(deadline) ? next : deadline;
    }

    /** It asks somebody the next thing. */
    Thought asking(RecordKey bank, Step next, Instant until) {
        return with(next, call + 1, callId(bank, id, call + 1), 1, 0, until, null);
    }

    Thought renewed(Instant until) {
        return with(step, call, callId, attempt, failures, until, retryAt);
    }

    Thought failed(Instant again) {
        return with(step, call, callId, attempt, failures + 1, leaseUntil, again);
    }

    /** It is put off: a rate limit is no failure. */
    Thought later(Instant again) {
        return with(step, call, callId, attempt, failures, leaseUntil, again);
    }

    Thought again(Instant until) {
        return with(step, call, callId, attempt + 1, failures, until, null);
    }

    private Thought with(
            Step aStep, int aCall, UUID anId, int anAttempt, int someFailures, Instant until, @Nullable Instant retry) {
        return new Thought(
                id,
                model,
                ask,
                outcomePartition,
                by,
                deadline,
                aStep,
                aCall,
                anId,
                anAttempt,
                someFailures,
                until,
                retry,
                modelCalls,
                searches,
                found,
                shown,
                objection,
                usage,
                conclusion);
    }

    /** Somebody else waits for it. */
    Thought waited(@Nullable Integer partition) {
        return new Thought(
                id,
                model,
                ask,
                partition,
                by,
                deadline,
                step,
                call,
                callId,
                attempt,
                failures,
                leaseUntil,
                retryAt,
                modelCalls,
                searches,
                found,
                shown,
                objection,
                usage,
                conclusion);
    }

    Thought searching(String query) {
        return knowing(Stream.concat(searches.stream(), Stream.of(query)).toList(), found, shown);
    }

    /** It found more. */
    Thought finding(List<Sighting> more, int most) {
        var all = Stream.concat(found.stream(), more.stream())
                .collect(Collectors.toMap(Sighting::id, one -> one, (one, _) -> one, LinkedHashMap::new));
        return knowing(searches, all.values().stream().limit(most).toList(), shown);
    }

    /** A model is asked, and shown this. */
    Thought showing(List<String> ids) {
        return knowing(searches, found, ids);
    }

    private Thought knowing(List<String> aSearches, List<Sighting> aFound, List<String> aShown) {
        return new Thought(
                id,
                model,
                ask,
                outcomePartition,
                by,
                deadline,
                step,
                call,
                callId,
                attempt,
                failures,
                leaseUntil,
                retryAt,
                modelCalls,
                aSearches,
                aFound,
                aShown,
                objection,
                usage,
                conclusion);
    }

    Thought counted(int calls, Usage more) {
        return new Thought(
                id,
                model,
                ask,
                outcomePartition,
                by,
                deadline,
                step,
                call,
                callId,
                attempt,
                failures,
                leaseUntil,
                retryAt,
                calls,
                searches,
                found,
                shown,
                objection,
                usage.plus(more),
                conclusion);
    }

    /** Its answer was not given for this reason. */
    Thought objected(String what) {
        return new Thought(
                id,
                model,
                ask,
                outcomePartition,
                by,
                deadline,
                step,
                call,
                callId,
                attempt,
                failures,
                leaseUntil,
                retryAt,
                modelCalls,
                searches,
                found,
                shown,
                what,
                usage,
                conclusion);
    }

    Thought concluding(Conclusion answer) {
        return new Thought(
                id,
                model,
                ask,
                outcomePartition,
                by,
                deadline,
                step,
                call,
                callId,
                attempt,
                failures,
                leaseUntil,
                retryAt,
                modelCalls,
                searches,
                found,
                shown,
                objection,
                usage,
                answer);
    }

    /** As it began: it forgets what it found and thought. */
    Thought forgetful() {
        return new Thought(
                id,
                model,
                ask,
                outcomePartition,
                by,
                deadline,
                step,
                call,
                callId,
                attempt,
                failures,
                leaseUntil,
                retryAt,
                modelCalls,
                List.of(),
                List.of(),
                List.of(),
                null,
                usage,
                null);
    }
}
