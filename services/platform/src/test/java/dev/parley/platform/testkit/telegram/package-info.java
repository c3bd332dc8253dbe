/** A strict stand-in for Telegram's Bot API, with the people who write to the bots. */
@NullMarked
package dev.parley.platform.testkit.telegram;

import org.jspecify.annotations.NullMarked;
