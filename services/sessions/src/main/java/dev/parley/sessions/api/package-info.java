/** Reads the views: sessions, turns, messages, search, and figures for operators. */
@NullMarked
package dev.parley.sessions.api;

import org.jspecify.annotations.NullMarked;
