@NullMarked
package dev.parley.channels.plugin;

import org.jspecify.annotations.NullMarked;
