/** The web channel: turns and sessions over HTTP, what happens in them over SSE and WebSocket. */
@NullMarked
package dev.parley.channels.web;

import org.jspecify.annotations.NullMarked;
