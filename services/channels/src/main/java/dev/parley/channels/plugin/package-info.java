/** Channels that plug-ins bring, and what keeps their faults to themselves. */
@NullMarked
package dev.parley.channels.plugin;

import org.jspecify.annotations.NullMarked;
