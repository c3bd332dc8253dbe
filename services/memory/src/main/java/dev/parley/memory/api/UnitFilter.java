package dev.parley.memory.api;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which units of a bank are listed; null leaves all in.
 *
 * @param type the code of a fact type
 * @param document in which they were found
 * @param entity whom they are about
 * @param from not before this date
 * @param to before this date
 * @param text some words that stand in them as they are
 * @param retired those that it held to be true, instead of those that it holds
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
