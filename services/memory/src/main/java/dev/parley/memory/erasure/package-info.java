/** Erasure of memories, with receipts. */
@NullMarked
package dev.parley.memory.erasure;

import org.jspecify.annotations.NullMarked;
