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
import java.util.function.Consumer;
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
        @Nullable Conclusion conclusion) {
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
        return but(copy -> {
            copy.step = next;
            copy.call = call + 1;
            copy.callId = callId(bank, id, call + 1);
            copy.attempt = 1;
            copy.failures = 0;
            copy.leaseUntil = until;
            copy.retryAt = null;
        });
    }

    Thought renewed(Instant until) {
        return but(copy -> copy.leaseUntil = until);
    }

    Thought failed(Instant again) {
        return but(copy -> {
            copy.failures = failures + 1;
            copy.retryAt = again;
        });
    }

    /** It is put off: a rate limit is no failure. */
    Thought later(Instant again) {
        return but(copy -> copy.retryAt = again);
    }

    Thought again(Instant until) {
        return but(copy -> {
            copy.attempt = attempt + 1;
            copy.leaseUntil = until;
            copy.retryAt = null;
        });
    }

    /** Somebody else waits for it. */
    Thought waited(@Nullable Integer partition) {
        return but(copy -> copy.outcomePartition = partition);
    }

    Thought searching(String query) {
        return but(copy -> copy.searches =
                Stream.concat(searches.stream(), Stream.of(query)).toList());
    }

    /** It found more. */
    Thought finding(List<Sighting> more, int most) {
        var all = Stream.concat(found.stream(), more.stream())
                .collect(Collectors.toMap(Sighting::id, one -> one, (one, _) -> one, LinkedHashMap::new));
        return but(copy -> copy.found = all.values().stream().limit(most).toList());
    }

    /** A model is asked, and shown this. */
    Thought showing(List<String> ids) {
        return but(copy -> {
            copy.shown = ids;
            copy.dropped = Stream.concat(dropped.stream(), shown.stream())
                    .distinct()
                    .filter(id -> !ids.contains(id))
                    .toList();
        });
    }

    /** Rules answer with this, whatever a model thought of. */
    Thought taking(List<String> ids) {
        return but(copy -> {
            copy.shown = ids;
            copy.dropped = List.of();
        });
    }

    /** Ids of all that the answer may be made of. */
    List<String> seen() {
        return Stream.concat(shown.stream(), dropped.stream()).toList();
    }

    Thought counted(int calls, Usage more) {
        return but(copy -> {
            copy.modelCalls = calls;
            copy.usage = usage.plus(more);
        });
    }

    /** Its answer was not given for this reason. */
    Thought objected(String what) {
        return but(copy -> copy.objection = what);
    }

    Thought concluding(Conclusion answer) {
        return but(copy -> copy.conclusion = answer);
    }

    /** As it began: it forgets what it found and thought. */
    Thought forgetful() {
        return but(copy -> {
            copy.searches = List.of();
            copy.found = List.of();
            copy.shown = List.of();
            copy.dropped = List.of();
            copy.objection = null;
            copy.conclusion = null;
        });
    }

    private Thought but(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.done();
    }

    /** All of it, to change some of it: a record has no other way to leave the rest as it is. */
    private static final class Copy {
        private final UUID id;
        private final @Nullable UUID model;
        private final Ask ask;
        private @Nullable Integer outcomePartition;
        private final @Nullable String by;
        private final Instant deadline;
        private Step step;
        private int call;
        private UUID callId;
        private int attempt;
        private int failures;
        private Instant leaseUntil;
        private @Nullable Instant retryAt;
        private int modelCalls;
        private List<String> searches;
        private List<Sighting> found;
        private List<String> shown;
        private List<String> dropped;
        private @Nullable String objection;
        private Usage usage;
        private @Nullable Conclusion conclusion;

        Copy(Thought of) {
            id = of.id;
            model = of.model;
            ask = of.ask;
            outcomePartition = of.outcomePartition;
            by = of.by;
            deadline = of.deadline;
            step = of.step;
            call = of.call;
            callId = of.callId;
            attempt = of.attempt;
            failures = of.failures;
            leaseUntil = of.leaseUntil;
            retryAt = of.retryAt;
            modelCalls = of.modelCalls;
            searches = of.searches;
            found = of.found;
            shown = of.shown;
            dropped = of.dropped;
            objection = of.objection;
            usage = of.usage;
            conclusion = of.conclusion;
        }

        Thought done() {
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
                    dropped,
                    objection,
                    usage,
                    conclusion);
        }
    }
}
