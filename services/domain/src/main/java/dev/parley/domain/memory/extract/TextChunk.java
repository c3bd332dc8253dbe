package dev.parley.domain.memory.extract;

/**
 * A chunk of a text, the unit of extraction.
 *
 * @param index position among the chunks, from 0
 * @param text without surrounding whitespace
 * @param from start index in the text
 * @param to end index in the text, exclusive
 * @param sha256 of the text in UTF-8, in lower-case hexadecimal: identity of the chunk
 */
public record TextChunk(int index, String text, int from, int to, String sha256) {}
