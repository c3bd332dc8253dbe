package dev.parley.domain.proof;

import java.time.Instant;

/**
 * Where a record stands.
 *
 * @param at the record's own time: when it was sent
 */
public record Place(String topic, int partition, long offset, Instant at) {}
