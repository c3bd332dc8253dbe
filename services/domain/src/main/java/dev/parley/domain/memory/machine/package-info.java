/** The decisions of a bank of memory: what a command, a result or a timer changes, and what is called next. */
@NullMarked
package dev.parley.domain.memory.machine;

import org.jspecify.annotations.NullMarked;
