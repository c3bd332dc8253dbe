/** {@code parley chat}: a conversation in the terminal, over the same API that everybody uses. */
@NullMarked
package dev.parley.server.chat;

import org.jspecify.annotations.NullMarked;
