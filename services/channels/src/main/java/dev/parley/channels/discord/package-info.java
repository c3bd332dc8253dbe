/** Discord: messages come over its gateway, a WebSocket, and are sent by its HTTP API. */
@NullMarked
package dev.parley.channels.discord;

import org.jspecify.annotations.NullMarked;
