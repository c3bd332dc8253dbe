/** One trace a turn, across Kafka. */
@NullMarked
package dev.parley.platform.trace;

import org.jspecify.annotations.NullMarked;
