/** {@code parley channel}: what can be said about channels from outside. */
@NullMarked
package dev.parley.server.channel;

import org.jspecify.annotations.NullMarked;
