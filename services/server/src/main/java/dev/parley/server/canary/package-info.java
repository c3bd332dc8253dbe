/** {@code parley audit}: reads topics, and says whether everything on them came to its one end. */
@NullMarked
package dev.parley.server.canary;

import org.jspecify.annotations.NullMarked;
