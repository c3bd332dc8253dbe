/** Export of projects to archives while they are in use, and import. */
@Configuration
@Requires(property = "parley.role.sessions", value = "true")
@NullMarked
package dev.parley.sessions.archive;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
