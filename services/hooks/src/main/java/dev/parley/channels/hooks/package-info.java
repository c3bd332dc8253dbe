/**
 * Event webhooks: project events sent to URLs that the project configures, signed according to Standard Webhooks, with
 * retries for up to a day.
 */
@Configuration
@Requires(property = "parley.role.channels", value = "true")
@NullMarked
package dev.parley.channels.hooks;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
