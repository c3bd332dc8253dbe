package dev.parley.domain.session;

import java.time.Instant;
import java.util.UUID;

/**
 * A fork's context, or an imported session, that is arriving.
 *
 * @param forkId id of the fork or import
 * @param next index of the next piece
 * @param until deadline of the next piece of a fork; imports have none
 * @param whole whether a whole session is imported, and all other commands are rejected until it is complete
 */
public record Seeding(UUID forkId, int next, int pieces, Instant until, boolean whole) {}
