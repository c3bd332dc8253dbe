/** The turn topology: the Kafka Streams shell of the turn state machine. */
@Configuration
@Requires(property = "parley.role.agents", value = "true")
@NullMarked
package dev.parley.agents.turn;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
