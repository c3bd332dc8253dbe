/** Who sent a command, on whose account it runs, and where its reply goes. */
@NullMarked
package dev.parley.domain.protocol.origin;

import org.jspecify.annotations.NullMarked;
