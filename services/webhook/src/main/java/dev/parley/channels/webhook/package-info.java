/** The generic webhook channel: signed HTTP requests in both directions. */
@Configuration
@Requires(property = "parley.role.channels", value = "true")
@NullMarked
package dev.parley.channels.webhook;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
