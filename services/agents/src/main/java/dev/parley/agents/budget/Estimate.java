package dev.parley.agents.budget;

import org.jspecify.annotations.Nullable;

/**
 * An upper estimate of the usage of a call.
 *
 * @param nanos the cost in billionths of a US dollar, or null where the model has no price
 * @param tokens input and output tokens
 */
public record Estimate(@Nullable Long nanos, long tokens) {}
