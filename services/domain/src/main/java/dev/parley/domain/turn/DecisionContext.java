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
 * The inputs of a decision besides state and {@link dev.parley.domain.protocol.TurnInput}.
 *
 * @param now the current time
 * @param definitions the agents and tools of the session's host
 * @param patterns regular expression matcher for guardrails
 * @param schemas validator for arguments of the caller's tools
 * @param recurrences reads the times of reminders that repeat
 * @param entries reads an entry of the session's context by index
 * @param storedOutcomes the stored outcome of an earlier command or ended turn, by id
 */
public record DecisionContext(
        Instant now,
        Definitions definitions,
        RegexMatching patterns,
        ArgumentSchemas schemas,
        Recurrences recurrences,
        LongFunction<Entry> entries,
        Function<UUID, Optional<Outcome>> storedOutcomes) {}
