package dev.parley.memory.search;

/**
 * A similar unit.
 *
 * @param closeness cosine similarity
 */
public record Neighbour(String id, double closeness) {}
