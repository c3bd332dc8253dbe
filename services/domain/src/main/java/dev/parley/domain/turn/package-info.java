/**
 * The turn machine: decides events and effects from commands and results. Pure: clock and ids are arguments, no I/O.
 */
@NullMarked
package dev.parley.domain.turn;

import org.jspecify.annotations.NullMarked;
