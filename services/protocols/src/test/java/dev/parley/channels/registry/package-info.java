@NullMarked
package dev.parley.channels.registry;

import org.jspecify.annotations.NullMarked;
