package dev.parley.control.definitions;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A version of a tool, a skill or an endpoint, as stored.
 *
 * @param project null for the host's own
 * @param row the version of the row
 */
public record CatalogueRow<B extends DefinitionEntry>(
        UUID host, @Nullable UUID project, String name, String version, B body, Instant updatedAt, long row) {}
