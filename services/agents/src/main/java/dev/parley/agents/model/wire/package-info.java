/** The common parts of providers with JSON APIs over HTTP: connections, event streams, and verbatim JSON. */
@NullMarked
package dev.parley.agents.model.wire;

import org.jspecify.annotations.NullMarked;
