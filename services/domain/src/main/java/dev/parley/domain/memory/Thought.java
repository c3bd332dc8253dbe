package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.reflect.Conclusion;
import dev.parley.domain.protocol.CallResult.Sighting;
import dev.parley.domain.protocol.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param dropped ids of what it was shown before it searched further, and is not shown any more: it may have thought of that
 * @param objection why the first answer was not given, as a kind of thing; or null
 * @param usage of the model calls
 * @param conclusion the answer, when it is there
 */
@RecordBuilder
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
        List<String> dropped,
        @Nullable String objection,
        Usage usage,
        @Nullable Conclusion conclusion)
        implements ThoughtBuilder.With {
    public Thought {
        searches = List.copyOf(searches);
        found = List.copyOf(found);
        shown = List.copyOf(shown);
        dropped = List.copyOf(dropped);
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
        return with().step(next)
                .call(call + 1)
                .callId(callId(bank, id, call + 1))
                .attempt(1)
                .failures(0)
                .leaseUntil(until)
                .retryAt(null)
                .build();
    }

    Thought renewed(Instant until) {
        return withLeaseUntil(until);
    }

    Thought failed(Instant again) {
        return with().failures(failures + 1).retryAt(again).build();
    }

    /** It is put off: a rate limit is no failure. */
    Thought later(Instant again) {
        return withRetryAt(again);
    }

    Thought again(Instant until) {
        return with().attempt(attempt + 1).leaseUntil(until).retryAt(null).build();
    }

    /** Somebody else waits for it. */
    Thought waited(@Nullable Integer partition) {
        return withOutcomePartition(partition);
    }

    Thought searching(String query) {
        return withSearches(Stream.concat(searches.stream(), Stream.of(query)).toList());
    }

    /** It found more. */
    Thought finding(List<Sighting> more, int most) {
        var all = Stream.concat(found.stream(), more.stream())
                .collect(Collectors.toMap(Sighting::id, one -> one, (one, _) -> one, LinkedHashMap::new));
        return withFound(all.values().stream().limit(most).toList());
    }

    /** A model is asked, and shown this. */
    Thought showing(List<String> ids) {
        return with().shown(ids)
                .dropped(Stream.concat(dropped.stream(), shown.stream())
                        .distinct()
                        .filter(id -> !ids.contains(id))
                        .toList())
                .build();
    }

    /** Rules answer with this, whatever a model thought of. */
    Thought taking(List<String> ids) {
        return with().shown(ids).dropped(List.of()).build();
    }

    /** Ids of all that the answer may be made of. */
    List<String> seen() {
        return Stream.concat(shown.stream(), dropped.stream()).toList();
    }

    Thought counted(int calls, Usage more) {
        return with().modelCalls(calls).usage(usage.plus(more)).build();
    }

    /** Its answer was not given for this reason. */
    Thought objected(String what) {
        return withObjection(what);
    }

    Thought concluding(Conclusion answer) {
        return withConclusion(answer);
    }

    /** As it began: it forgets what it found and thought. */
    Thought forgetful() {
        return with().searches(List.of())
                .found(List.of())
                .shown(List.of())
                .dropped(List.of())
                .objection(null)
                .conclusion(null)
                .build();
    }
}
