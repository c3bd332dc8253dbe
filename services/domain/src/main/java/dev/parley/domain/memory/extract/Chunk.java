package dev.parley.domain.memory.extract;

/**
 * A piece of a text that facts are extracted from at once.
 *
 * @param index its place among the chunks of the text, from 0
 * @param text the piece, without blanks around it
 * @param from where in the text it begins: index of its first character
 * @param to where in the text it ends: index behind its last character
 * @param sha256 of its text in UTF-8, in lower-case hexadecimal digits: what makes two chunks the same
 */
public record Chunk(int index, String text, int from, int to, String sha256) {}
