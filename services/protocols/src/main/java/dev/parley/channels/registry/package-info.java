/** The bundled schemas for standard consumers: read-only, with the API of Confluent's schema registry. */
@Configuration
@Requires(property = "parley.role.channels", value = "true")
@NullMarked
package dev.parley.channels.registry;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
