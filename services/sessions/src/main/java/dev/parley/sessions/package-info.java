/** Views of sessions, turns, messages and parts in Postgres, and the API that reads them. */
@NullMarked
package dev.parley.sessions;

import org.jspecify.annotations.NullMarked;
