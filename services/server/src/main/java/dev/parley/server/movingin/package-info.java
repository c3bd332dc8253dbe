/** Moving in: what other systems keep in their databases, read there and given to Parley through its API. */
@NullMarked
package dev.parley.server.movingin;

import org.jspecify.annotations.NullMarked;
