/** Channels of plug-ins, isolated so that their faults affect only their own bots. */
@NullMarked
package dev.parley.channels.plugin;

import org.jspecify.annotations.NullMarked;
