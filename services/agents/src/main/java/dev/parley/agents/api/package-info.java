/** The HTTP API of the turn topology: the live state of sessions. */
@NullMarked
package dev.parley.agents.api;

import org.jspecify.annotations.NullMarked;
