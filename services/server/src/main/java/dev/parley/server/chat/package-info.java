/** {@code parley chat}: a conversation in the terminal, over the public API. */
@NullMarked
package dev.parley.server.chat;

import org.jspecify.annotations.NullMarked;
