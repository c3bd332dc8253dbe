/** Rendering of Markdown into messages of chat platforms. Pure, without I/O. */
@NullMarked
package dev.parley.channels.chat.markup;

import org.jspecify.annotations.NullMarked;
