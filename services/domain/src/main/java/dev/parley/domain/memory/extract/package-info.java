/**
 * What facts are made of texts: pieces of a size that can be worked on, facts by rules or by a model. Everything is pure: the same text gives the same facts, on each replay.
 */
@NullMarked
package dev.parley.domain.memory.extract;

import org.jspecify.annotations.NullMarked;
