/**
 * Common parts of chat platforms: admission, account links, commands, buttons, files, texts of the bot itself, and the
 * turns that follow. An adapter maps its platform's payloads to {@link dev.parley.channels.chat.Event} and passes them
 * to a {@link dev.parley.channels.chat.ChatHandler}.
 */
@NullMarked
package dev.parley.channels.chat;

import org.jspecify.annotations.NullMarked;
