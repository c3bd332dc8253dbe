/** Prompts to models, and parsing of their answers, shared by all memory operations. */
@NullMarked
package dev.parley.domain.memory.prompt;

import org.jspecify.annotations.NullMarked;
