/** {@code parley channel}: checks of bots on channels. */
@NullMarked
package dev.parley.server.channel;

import org.jspecify.annotations.NullMarked;
