/** What a model writes, as messages of a chat platform, which says how it writes them. Pure: knows no network. */
@NullMarked
package dev.parley.channels.chat.markup;

import org.jspecify.annotations.NullMarked;
