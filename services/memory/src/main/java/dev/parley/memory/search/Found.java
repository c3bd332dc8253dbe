package dev.parley.memory.search;

/**
 * Something that an arm found.
 *
 * @param row where it is in the index, until the view ends
 * @param score the higher, the better; of one arm, not comparable with another's
 */
public record Found(int row, double score) {}
