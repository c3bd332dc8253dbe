/** How much may be spent, by whom and in which time. */
@NullMarked
package dev.parley.domain.budget;

import org.jspecify.annotations.NullMarked;
