/** Workflows: definitions, and the engine that runs them. */
@NullMarked
package dev.parley.workflows;

import org.jspecify.annotations.NullMarked;
