@NullMarked
package dev.parley.channels.agui;

import org.jspecify.annotations.NullMarked;
