/** What a channel of a chat platform is made with: its events, buttons, queues and HTTP client. */
@NullMarked
package dev.parley.channels.chat;

import org.jspecify.annotations.NullMarked;
