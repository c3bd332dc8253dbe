/** What agents remember: banks, the facts in them, and the machine that decides what is kept. */
@NullMarked
package dev.parley.domain.memory;

import org.jspecify.annotations.NullMarked;
