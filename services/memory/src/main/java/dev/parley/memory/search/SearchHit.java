package dev.parley.memory.search;

/**
 * A result of a retriever.
 *
 * @param row in the index, valid until the view ends
 * @param score the higher, the better; not comparable between retrievers
 */
public record SearchHit(int row, double score) {}
