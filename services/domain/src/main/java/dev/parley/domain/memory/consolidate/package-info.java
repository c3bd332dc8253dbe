/**
 * What observations are made of facts: what several of them say, once, with its sources; and what a newer one makes of it. By rules
 * or by a model; both decide the same changes, and whoever carries them out need not know which it was.
 */
@NullMarked
package dev.parley.domain.memory.consolidate;

import org.jspecify.annotations.NullMarked;
