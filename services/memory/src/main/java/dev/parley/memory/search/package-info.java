/**
 * What is remembered, to be found by words, by meaning, by time, and by what it is connected with: in the memory of the process
 * that owns a bank. It holds nothing that is not elsewhere: whoever takes a bank over fills a new index.
 *
 * <p>Each bank has an index of its own, so the weight of a word is the bank's alone, however many others are in the process, and
 * what was put is found by the next question. Words are weighed by BM25. Vectors lie in a mapped file and are compared one by one
 * up to some twenty thousand; above that only those of the nearest cells, first by the signs of their numbers, then exactly.
 */
@NullMarked
package dev.parley.memory.search;

import org.jspecify.annotations.NullMarked;
