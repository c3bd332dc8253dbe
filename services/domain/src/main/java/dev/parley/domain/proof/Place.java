package dev.parley.domain.proof;

import java.time.Instant;

/**
 * The position of a record.
 *
 * @param at timestamp of the record
 */
public record Place(String topic, int partition, long offset, Instant at) {}
