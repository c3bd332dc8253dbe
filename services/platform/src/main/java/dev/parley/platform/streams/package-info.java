/** Runner, stores and sinks of Kafka Streams topologies. */
@NullMarked
package dev.parley.platform.streams;

import org.jspecify.annotations.NullMarked;
