/** What of a conversation was taken back, and what was said before. */
@NullMarked
package dev.parley.sessions.history;

import org.jspecify.annotations.NullMarked;
