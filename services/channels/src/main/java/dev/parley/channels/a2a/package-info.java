/** A2A, the protocol of agents that speak to agents, in its versions 0.3 and 1.0: a task is a turn, a context is a session. */
@NullMarked
package dev.parley.channels.a2a;

import org.jspecify.annotations.NullMarked;
