package dev.parley.domain.turn;

import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.Outcome;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * What a decision may depend on besides state and input.
 *
 * @param now the time
 * @param definitions the agents and tools of the session's host
 * @param patterns finds what guardrails look for
 * @param schemas holds arguments of the caller's tools against their schemas
 * @param entries what stands in the session's context under an index that it has
 * @param seen the outcome of a command that was decided before, by its id; also of a turn that ended
 */
public record DecisionContext(
        Instant now,
        Definitions definitions,
        Patterns patterns,
        ArgumentSchemas schemas,
        LongFunction<Entry> entries,
        Function<UUID, Optional<Outcome>> seen) {}
