package dev.parley.domain.turn;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * What a decision may depend on besides state and input.
 *
 * @param now the time
 * @param definitions the agents and tools of the session's host
 * @param patterns finds what guardrails look for
 * @param seen the outcome of a command that was decided before, by its id; also of a turn that ended
 */
public record Surroundings(
        Instant now, Definitions definitions, Patterns patterns, Function<UUID, Optional<Outcome>> seen) {}
