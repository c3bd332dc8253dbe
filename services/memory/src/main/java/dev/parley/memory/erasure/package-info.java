/** What is erased is forgotten by banks, and receipts say when. */
@NullMarked
package dev.parley.memory.erasure;

import org.jspecify.annotations.NullMarked;
