/**
 * The engine: {@link dev.parley.workflows.engine.ProcessMachine} decides what a process does with all that happens to it. It is pure: it gets
 * the state and the time, and gives a state, events and effects.
 */
@NullMarked
package dev.parley.workflows.engine;

import org.jspecify.annotations.NullMarked;
