/** Removes what is erased from log and files when the views have nothing of it any more, and gives receipts. */
@NullMarked
package dev.parley.sessions.erasure;

import org.jspecify.annotations.NullMarked;
