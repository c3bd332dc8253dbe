/** Brokers of Kafka beside Parley's own: which of them definitions may reach, and topics whose records are events. */
@NullMarked
package dev.parley.workflows.broker;

import org.jspecify.annotations.NullMarked;
