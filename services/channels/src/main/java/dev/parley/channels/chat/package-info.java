/**
 * What every chat platform needs, whichever it is: who may talk to a bot, accounts, commands, buttons, files, texts of the bot itself, and what
 * of all that becomes a turn. An adapter reads its platform's events as {@link dev.parley.channels.chat.Event} and gives them to a
 * {@link dev.parley.channels.chat.ChatHandler}.
 */
@NullMarked
package dev.parley.channels.chat;

import org.jspecify.annotations.NullMarked;
