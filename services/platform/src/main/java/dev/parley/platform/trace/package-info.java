/** OpenTelemetry tracing: one trace for each turn, across Kafka. */
@NullMarked
package dev.parley.platform.trace;

import org.jspecify.annotations.NullMarked;
