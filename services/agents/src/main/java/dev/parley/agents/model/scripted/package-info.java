/** The built-in model for tests and first steps: deterministic, offline, and controlled by directives in messages. */
@NullMarked
package dev.parley.agents.model.scripted;

import org.jspecify.annotations.NullMarked;
