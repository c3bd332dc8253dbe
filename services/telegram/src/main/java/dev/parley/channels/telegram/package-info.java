/** Telegram: bots that poll or have webhooks. */
@NullMarked
package dev.parley.channels.telegram;

import org.jspecify.annotations.NullMarked;
