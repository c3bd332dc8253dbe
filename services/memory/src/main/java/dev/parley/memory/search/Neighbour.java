package dev.parley.memory.search;

/**
 * A similar unit.
 *
 * @param similarity cosine similarity
 */
public record Neighbour(String id, double similarity) {}
