package dev.parley.agents.budget;

import org.jspecify.annotations.Nullable;

/**
 * The most that a call is expected to use.
 *
 * @param nanos billionths of a US dollar, or null where its model has no price
 * @param tokens in and out
 */
public record Estimate(@Nullable Long nanos, long tokens) {}
