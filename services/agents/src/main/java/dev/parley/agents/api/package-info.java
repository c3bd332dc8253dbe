/** What the turn topology tells of itself over HTTP. */
@NullMarked
package dev.parley.agents.api;

import org.jspecify.annotations.NullMarked;
