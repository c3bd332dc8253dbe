package dev.parley.domain.session;

import java.time.Instant;
import java.util.UUID;

/**
 * A fork's context, or a whole session from elsewhere, that is arriving.
 *
 * @param forkId id of the fork or of the import
 * @param next the piece that comes next
 * @param until when the pieces of a fork may come; those of an import may come at any time
 * @param whole whether a whole session arrives, and nothing else may happen to it before it is there
 */
public record Seeding(UUID forkId, int next, int pieces, Instant until, boolean whole) {}
