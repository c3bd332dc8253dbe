/** Read API of the views: sessions, turns, messages, search, figures for operators. */
@NullMarked
package dev.parley.sessions.api;

import org.jspecify.annotations.NullMarked;
