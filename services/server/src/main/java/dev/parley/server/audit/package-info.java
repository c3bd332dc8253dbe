/** {@code parley audit}: verifies from the topics that all work came to exactly one outcome. */
@NullMarked
package dev.parley.server.audit;

import org.jspecify.annotations.NullMarked;
