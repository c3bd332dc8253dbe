/** The HTTP API of the turn topology: the live state of sessions. */
@Configuration
@Requires(property = "parley.role.agents", value = "true")
@NullMarked
package dev.parley.agents.api;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
