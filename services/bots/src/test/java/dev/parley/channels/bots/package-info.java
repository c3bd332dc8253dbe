@NullMarked
package dev.parley.channels.bots;

import org.jspecify.annotations.NullMarked;
