/** The memory topology: banks with one writer each, their state in memory, and a search index beside it. */
@NullMarked
package dev.parley.memory.bank;

import org.jspecify.annotations.NullMarked;
