/** What providers that speak JSON over HTTP have in common: the connection, the stream of events, the exact texts. */
@NullMarked
package dev.parley.agents.model.wire;

import org.jspecify.annotations.NullMarked;
