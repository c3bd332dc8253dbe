/** Copies of topics. */
@NullMarked
package dev.parley.sessions.copies;

import org.jspecify.annotations.NullMarked;
