/** A2A, the protocol between agents, in versions 0.3 and 1.0: a task is a turn, a context is a session. */
@Configuration
@Requires(property = "parley.role.channels", value = "true")
@NullMarked
package dev.parley.channels.a2a;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
