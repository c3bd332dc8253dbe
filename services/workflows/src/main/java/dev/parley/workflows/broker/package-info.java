/** External Kafka brokers: the allow-list for definitions, and topics whose records become events. */
@NullMarked
package dev.parley.workflows.broker;

import org.jspecify.annotations.NullMarked;
