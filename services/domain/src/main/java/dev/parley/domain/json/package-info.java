/** Readers of JSON with bounds. */
@NullMarked
package dev.parley.domain.json;

import org.jspecify.annotations.NullMarked;
