@NullMarked
package dev.parley.channels.a2a;

import org.jspecify.annotations.NullMarked;
