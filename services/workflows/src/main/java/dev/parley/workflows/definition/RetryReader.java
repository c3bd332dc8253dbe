package dev.parley.workflows.definition;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads retry policies. */
final class RetryReader {
    private static final int MAX_ATTEMPTS = 1_000;

    private RetryReader() {}

    /** @return null for no retry */
    static @Nullable RetryPolicy read(DefinitionReader definition, DefinitionNode declared, Set<String> variables) {
        DefinitionNode part = definition.resolveUse(declared, "retries");
        if (!part.isThere()) {
            return null;
        }
        part.isObject("when", "exceptWhen", "delay", "backoff", "limit", "jitter");
        RetryPolicy.Backoff backoff = backoff(part.get("backoff"));
        DefinitionNode limit = part.get("limit").checkMembers("attempt", "duration");
        DefinitionNode attempt = limit.get("attempt").checkMembers("count", "duration");
        DefinitionNode jitter = part.get("jitter").checkMembers("!from", "!to");
        return new RetryPolicy(
                definition.optional(part.get("when"), variables),
                definition.optional(part.get("exceptWhen"), variables),
                definition.optionalDuration(part.get("delay"), variables),
                backoff,
                definition.optionalDuration(jitter.get("from"), variables),
                definition.optionalDuration(jitter.get("to"), variables),
                attempt.get("count").count(0, MAX_ATTEMPTS),
                definition.optionalDuration(attempt.get("duration"), variables),
                definition.optionalDuration(limit.get("duration"), variables));
    }

    private static RetryPolicy.Backoff backoff(DefinitionNode part) {
        part.checkMembers("constant", "linear", "exponential");
        if (part.has("exponential")) {
            return RetryPolicy.Backoff.EXPONENTIAL;
        }
        return part.has("linear") ? RetryPolicy.Backoff.LINEAR : RetryPolicy.Backoff.CONSTANT;
    }
}
