/**
 * Fact extraction: splits texts into chunks and extracts facts by rules or by a model. Pure, and deterministic on
 * replay.
 */
@NullMarked
package dev.parley.domain.memory.extract;

import org.jspecify.annotations.NullMarked;
