/**
 * A client of Parley's HTTP API. {@link dev.parley.client.ParleyClient} is where to begin.
 */
@NullMarked
package dev.parley.client;

import org.jspecify.annotations.NullMarked;
