/** {@code parley replay-session}: recorded turns, answered once more by another agent, with what tools answered then. */
@NullMarked
package dev.parley.server.replay;

import org.jspecify.annotations.NullMarked;
