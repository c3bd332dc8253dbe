/** The banks that this process owns: one writer each, what they know in memory, and their index beside it. */
@NullMarked
package dev.parley.memory.bank;

import org.jspecify.annotations.NullMarked;
