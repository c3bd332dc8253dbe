/**
 * Budgets of hosts, projects and users: a model call reserves its estimate in advance and settles its usage afterwards.
 */
@Configuration
@Requires(property = "parley.role.models", value = "true")
@NullMarked
package dev.parley.agents.budget;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
