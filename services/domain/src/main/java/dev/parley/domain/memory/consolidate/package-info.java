/**
 * Consolidation of facts into observations, which state once, with sources, what several facts say, and are updated by
 * newer facts. Rules and models produce the same {@link dev.parley.domain.memory.consolidate.Change} values.
 */
@NullMarked
package dev.parley.domain.memory.consolidate;

import org.jspecify.annotations.NullMarked;
