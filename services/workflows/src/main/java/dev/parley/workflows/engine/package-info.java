/**
 * The workflow engine: {@link dev.parley.workflows.engine.ProcessMachine} is a pure function from state, input and time
 * to the new state, events and effects.
 */
@NullMarked
package dev.parley.workflows.engine;

import org.jspecify.annotations.NullMarked;
