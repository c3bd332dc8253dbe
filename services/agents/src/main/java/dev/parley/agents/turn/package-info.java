/** The turn topology: the Kafka Streams shell of the turn state machine. */
@NullMarked
package dev.parley.agents.turn;

import org.jspecify.annotations.NullMarked;
