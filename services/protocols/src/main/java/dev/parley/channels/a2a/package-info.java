/** A2A, the protocol between agents, in versions 0.3 and 1.0: a task is a turn, a context is a session. */
@NullMarked
package dev.parley.channels.a2a;

import org.jspecify.annotations.NullMarked;
