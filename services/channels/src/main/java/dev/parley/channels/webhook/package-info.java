/** The generic webhook channel: messages come in by signed requests and go out by signed requests. */
@NullMarked
package dev.parley.channels.webhook;

import org.jspecify.annotations.NullMarked;
