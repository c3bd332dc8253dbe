/** Chats, users admitted to bots, and their links with accounts. */
@NullMarked
package dev.parley.channels.bots.people;

import org.jspecify.annotations.NullMarked;
