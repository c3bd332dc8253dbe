/** The history of a conversation: reverted messages, and search over earlier ones. */
@NullMarked
package dev.parley.sessions.history;

import org.jspecify.annotations.NullMarked;
