package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.machine.MemoryDraft;
import dev.parley.domain.memory.reflect.Conclusion;
import dev.parley.domain.protocol.CallResult.Sighting;
import dev.parley.domain.protocol.LeasedCall;
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
 * A reflection in progress: it searches, a model or rules answer, and the answer is embedded.
 *
 * @param id of the command, or of the refresh of a mental model
 * @param model the mental model to refresh, or null
 * @param ask the question
 * @param outcomePartition partition of {@code outcomes} on which an instance waits, or null
 * @param by the user who requested it, or null
 * @param deadline when rules answer with the results so far
 * @param step the step in progress
 * @param call number of the pending call within the reflection, from 1
 * @param callId id of that call
 * @param attempt of the call, from 1
 * @param failures of the call
 * @param leaseUntil when the worker's lease expires and the call is retried
 * @param retryAt time of the next attempt after a failure, or null
 * @param modelCalls number of model calls so far
 * @param searches queries of the model
 * @param found ids of results, the best of each search first
 * @param shown ids of the evidence shown to a model, in numbered order
 * @param dropped ids of evidence shown earlier, which may have influenced the model
 * @param objection kind of violation for which the first answer was withheld, or null
 * @param usage of the model calls
 * @param conclusion the answer, or null while it is pending
 */
@RecordBuilder
public record PendingInference(
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
        implements PendingInferenceBuilder.With, LeasedCall {
    public PendingInference {
        searches = List.copyOf(searches);
        found = List.copyOf(found);
        shown = List.copyOf(shown);
        dropped = List.copyOf(dropped);
    }

    /** Step that a reflection waits for. */
    public enum Step {
        SEARCH,
        ANSWER,
        MEANING
    }

    /**
     * The question of a reflection.
     *
     * @param asker the person who asks and the purpose, as text for a model; or null
     * @param session of the question, or null
     * @param tags evidence must have one of these; empty for any
     * @param types of units used as evidence; empty for all
     * @param maxTokens approximate length of the answer
     * @param reader agent whose model answers, or null for rules
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

        /** The question of a command. */
        public static Ask of(Reflect reflect, @Nullable Agent reader) {
            return new Ask(
                    reflect.question(),
                    reflect.asker(),
                    reflect.session(),
                    reflect.tags(),
                    reflect.types(),
                    reflect.maxTokens(),
                    reader);
        }
    }

    /** A new reflection, which searches first. */
    public static PendingInference of(
            RecordKey bank,
            UUID id,
            @Nullable UUID model,
            Ask request,
            @Nullable Integer partition,
            @Nullable String user,
            Instant now,
            Duration patience,
            Duration lease) {
        return PendingInferenceBuilder.builder()
                .id(id)
                .model(model)
                .ask(request)
                .outcomePartition(partition)
                .by(user)
                .deadline(now.plus(patience))
                .step(Step.SEARCH)
                .call(1)
                .callId(callId(bank, id, 1))
                .attempt(1)
                .leaseUntil(now.plus(lease))
                .searches(List.of())
                .found(List.of())
                .shown(List.of())
                .dropped(List.of())
                .usage(Usage.NONE)
                .build();
    }

    private static UUID callId(RecordKey bank, UUID id, int call) {
        return Ids.of("reflect", bank, id, call);
    }

    /** Time of the next action. */
    @Override
    public Instant due() {
        Instant next = LeasedCall.super.due();
        return next.isBefore(deadline) ? next : deadline;
    }

    /** The next step, with a new call. */
    public PendingInference withCall(MemoryDraft draft, Step next, Duration lease) {
        return with().step(next)
                .call(call + 1)
                .callId(callId(draft.state().key(), id, call + 1))
                .attempt(1)
                .failures(0)
                .leaseUntil(draft.now().plus(lease))
                .retryAt(null)
                .build();
    }

    public PendingInference renewLease(Instant leaseUntil) {
        return withLeaseUntil(leaseUntil);
    }

    public PendingInference failAttempt(Instant nextAttempt) {
        return with().failures(failures + 1).retryAt(nextAttempt).build();
    }

    /** The next attempt of the pending call. */
    public PendingInference retry(Instant leaseUntil) {
        return with().attempt(attempt + 1).leaseUntil(leaseUntil).retryAt(null).build();
    }

    /** With another query of the model. */
    public PendingInference withSearch(String query) {
        return withSearches(Stream.concat(searches.stream(), Stream.of(query)).toList());
    }

    /** With further search results. */
    public PendingInference withResults(List<Sighting> results, int limit) {
        var merged = Stream.concat(found.stream(), results.stream())
                .collect(Collectors.toMap(Sighting::id, result -> result, (first, _) -> first, LinkedHashMap::new));
        return withFound(merged.values().stream().limit(limit).toList());
    }

    /** Calls a model with this evidence. */
    public PendingInference showing(List<String> ids) {
        return with().shown(ids)
                .dropped(Stream.concat(dropped.stream(), shown.stream())
                        .distinct()
                        .filter(id -> !ids.contains(id))
                        .toList())
                .build();
    }

    /** Rules answer with this evidence, instead of a model. */
    public PendingInference quoting(List<String> ids) {
        return with().shown(ids).dropped(List.of()).build();
    }

    /** Ids of all evidence that may have influenced the answer. */
    public List<String> evidence() {
        return Stream.concat(shown.stream(), dropped.stream()).toList();
    }

    public PendingInference charge(int calls, Usage callUsage) {
        return with().modelCalls(calls).usage(usage.plus(callUsage)).build();
    }

    /** Restarted, without results and answers. */
    public PendingInference restart() {
        return with().searches(List.of())
                .found(List.of())
                .shown(List.of())
                .dropped(List.of())
                .objection(null)
                .conclusion(null)
                .build();
    }
}
