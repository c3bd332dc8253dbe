package dev.parley.memory.search;

/**
 * A unit that means about the same.
 *
 * @param closeness the cosine of the two vectors
 */
public record Neighbour(String id, double closeness) {}
