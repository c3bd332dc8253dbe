@NullMarked
package dev.parley.channels.protocols;

import org.jspecify.annotations.NullMarked;
