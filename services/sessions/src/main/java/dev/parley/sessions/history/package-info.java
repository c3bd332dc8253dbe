/** Conversations as a model is shown them, read back from the views or brought in from elsewhere. */
@NullMarked
package dev.parley.sessions.history;

import org.jspecify.annotations.NullMarked;
