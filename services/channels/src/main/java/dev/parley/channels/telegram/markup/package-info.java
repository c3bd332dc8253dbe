/** What a model writes, as messages of Telegram. Pure: knows no network. */
@NullMarked
package dev.parley.channels.telegram.markup;

import org.jspecify.annotations.NullMarked;
