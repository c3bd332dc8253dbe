/** How memory asks models, whatever it asks, and how it reads what they answer. */
@NullMarked
package dev.parley.domain.memory.prompt;

import org.jspecify.annotations.NullMarked;
