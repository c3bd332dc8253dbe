/** The turn machine: commands and results in, events and effects out. Pure: no clock, no I/O, no ids of its own. */
@NullMarked
package dev.parley.domain.turn;

import org.jspecify.annotations.NullMarked;
