/** The control service: hosts, people, projects, keys, settings and definitions. */
@Configuration
@Requires(property = "parley.role.control", value = "true")
@NullMarked
package dev.parley.control;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
