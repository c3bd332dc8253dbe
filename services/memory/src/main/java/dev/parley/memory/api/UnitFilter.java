package dev.parley.memory.api;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A filter for lists of units; null fields do not filter.
 *
 * @param type code of a fact type
 * @param document the document they were found in
 * @param entity an entity they mention
 * @param from not before this date
 * @param to before this date
 * @param text substring, ignoring case
 * @param retired retired units instead of active ones
 */
record UnitFilter(
        @Nullable String type,
        @Nullable String tag,
        @Nullable UUID entity,
        @Nullable UUID document,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable String text,
        boolean retired) {}
