/** Listeners of turn deltas, independent of the channel. */
@NullMarked
package dev.parley.channels.deltas;

import org.jspecify.annotations.NullMarked;
