/** Memory: retain, recall, reflect, consolidate. */
@NullMarked
package dev.parley.memory;

import org.jspecify.annotations.NullMarked;
