/**
 * Running bots: which instance owns which bot, what they receive, and how replies are delivered in order and within
 * rate limits.
 */
@Configuration
@Requires(property = "parley.role.channels", value = "true")
@NullMarked
package dev.parley.channels.bots;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
