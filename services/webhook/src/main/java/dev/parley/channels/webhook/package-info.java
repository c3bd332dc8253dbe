/** The generic webhook channel: signed HTTP requests in both directions. */
@NullMarked
package dev.parley.channels.webhook;

import org.jspecify.annotations.NullMarked;
