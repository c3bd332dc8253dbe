/** Workflows: definitions, the engine that runs them, and its parts. */
@NullMarked
package dev.parley.workflows;

import org.jspecify.annotations.NullMarked;
