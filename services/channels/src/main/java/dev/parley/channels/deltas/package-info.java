/** Who listens to turns, whatever the channel. */
@NullMarked
package dev.parley.channels.deltas;

import org.jspecify.annotations.NullMarked;
