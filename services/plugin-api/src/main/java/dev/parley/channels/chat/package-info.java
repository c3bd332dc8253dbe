/** What a channel of a platform is made with: its HTTP client. */
@NullMarked
package dev.parley.channels.chat;

import org.jspecify.annotations.NullMarked;
