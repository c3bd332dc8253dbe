/** Topics, records on the wire, and Kafka clients set up the way Parley needs them. */
@NullMarked
package dev.parley.platform.kafka;

import org.jspecify.annotations.NullMarked;
