/** Workflows: definitions, and the engine that runs them. */
@Configuration
@Requires(property = "parley.role.workflows", value = "true")
@NullMarked
package dev.parley.workflows;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
