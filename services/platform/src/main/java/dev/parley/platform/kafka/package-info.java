/** Topics, the encoding of records, and Kafka clients with the settings of Parley. */
@NullMarked
package dev.parley.platform.kafka;

import org.jspecify.annotations.NullMarked;
