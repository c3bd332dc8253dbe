/** {@code parley replay-session}: reruns recorded turns with another agent, with the recorded tool results. */
@NullMarked
package dev.parley.server.sessionreplay;

import org.jspecify.annotations.NullMarked;
