/**
 * Search index of memory banks, in the process that owns them: by words, by embedding, by time and by relations. It
 * holds no data of its own: a new owner of a bank fills a new index.
 *
 * <p>Each bank has its own index, so word statistics are those of the bank, and what was put is found by the next
 * query. Keyword search is BM25. Vectors are in a memory-mapped file and are compared exactly up to some twenty
 * thousand; above that the nearest cells are searched, first by sign sketches, then exactly.
 */
@NullMarked
package dev.parley.memory.search;

import org.jspecify.annotations.NullMarked;
