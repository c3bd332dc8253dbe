/** Parley's own HTTP API for protocols of others: what they do is a request in the name of their caller. */
@NullMarked
package dev.parley.platform.api;

import org.jspecify.annotations.NullMarked;
