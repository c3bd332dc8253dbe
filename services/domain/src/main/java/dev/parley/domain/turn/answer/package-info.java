/** Reads what models, tools and memory have answered. */
@NullMarked
package dev.parley.domain.turn.answer;

import org.jspecify.annotations.NullMarked;
