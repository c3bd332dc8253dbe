/** Views of sessions, turns, messages and parts in Postgres, and their read API. */
@NullMarked
package dev.parley.sessions;

import org.jspecify.annotations.NullMarked;
