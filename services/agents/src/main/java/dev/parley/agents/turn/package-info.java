/** The turn topology: a thin shell around the turn machine. */
@NullMarked
package dev.parley.agents.turn;

import org.jspecify.annotations.NullMarked;
