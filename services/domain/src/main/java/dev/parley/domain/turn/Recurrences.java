package dev.parley.domain.turn;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** Reads cron expressions for the turn machine. */
@FunctionalInterface
public interface Recurrences {
    /**
     * The first time of an expression after another time; empty if there is none.
     *
     * @throws IllegalArgumentException if it is not a cron expression
     */
    Optional<Instant> next(String cron, ZoneId zone, Instant after);
}
