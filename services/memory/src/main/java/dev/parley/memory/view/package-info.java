/**
 * What banks know, as tables: for people, for lists and for SQL. {@link dev.parley.memory.view.Changes} says what a run of
 * events comes to, {@link dev.parley.memory.view.MemoryViews} writes it, and {@link dev.parley.memory.view.MemoryProjector} follows the
 * topic. Whom units are about is the one truth of entities and of pairs: both are counted anew from it whenever it changes.
 */
@NullMarked
package dev.parley.memory.view;

import org.jspecify.annotations.NullMarked;
