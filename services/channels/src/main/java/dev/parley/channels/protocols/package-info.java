/** What protocols of others have in common: requests are read, turns are followed, and ended as their programs know it. */
@NullMarked
package dev.parley.channels.protocols;

import org.jspecify.annotations.NullMarked;
