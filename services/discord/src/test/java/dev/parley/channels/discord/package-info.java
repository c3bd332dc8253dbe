@NullMarked
package dev.parley.channels.discord;

import org.jspecify.annotations.NullMarked;
