/** Access to Parley's own HTTP API for protocol adapters: each operation is a request on behalf of the caller. */
@NullMarked
package dev.parley.platform.api;

import org.jspecify.annotations.NullMarked;
