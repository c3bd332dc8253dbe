/** Tests that a channel keeps the contract of channels. Published with the plug-in API; needs JUnit alone. */
@NullMarked
package dev.parley.channels.testing;

import org.jspecify.annotations.NullMarked;
