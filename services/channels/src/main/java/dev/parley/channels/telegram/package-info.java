/** Telegram: bots that poll or have webhooks, and everything that is peculiar to them. */
@NullMarked
package dev.parley.channels.telegram;

import org.jspecify.annotations.NullMarked;
