/** Discord: events over its gateway, a WebSocket, and messages over its HTTP API. */
@NullMarked
package dev.parley.channels.discord;

import org.jspecify.annotations.NullMarked;
