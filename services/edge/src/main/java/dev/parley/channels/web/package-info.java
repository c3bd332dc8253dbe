/** The web channel: turns and sessions over HTTP, events over SSE and WebSocket. */
@NullMarked
package dev.parley.channels.web;

import org.jspecify.annotations.NullMarked;
