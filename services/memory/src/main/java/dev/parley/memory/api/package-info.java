/**
 * Memory over HTTP: {@code /v1/banks}.
 *
 * <p>Lists are read from the tables, which follow the events with a short delay; recall is answered by the bank itself.
 * Writes are sent to the bank as commands and answered when the tables show the result, or after two seconds. With
 * {@code fresh=true} a list first waits for the tables.
 */
@Configuration
@Requires(property = "parley.role.memory", value = "true")
@NullMarked
package dev.parley.memory.api;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
