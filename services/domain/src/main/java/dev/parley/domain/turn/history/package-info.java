/** What a history needs before a turn can go on: broken parts, unfinished calls, a move to another project. */
@NullMarked
package dev.parley.domain.turn.history;

import org.jspecify.annotations.NullMarked;
