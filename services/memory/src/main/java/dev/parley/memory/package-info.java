/** Long-term memory of agents: retain, recall, reflect, consolidate. */
@NullMarked
package dev.parley.memory;

import org.jspecify.annotations.NullMarked;
