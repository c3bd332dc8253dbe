/**
 * Mapping of domain records to Avro: each record that implements a sealed type has a schema of its own.
 *
 * <p>No mapping is written by hand. {@link dev.parley.platform.serde.RecordSerde} binds the components of a record to
 * the fields of its schema by name when it is created, and fails if they differ.
 */
@NullMarked
package dev.parley.platform.serde;

import org.jspecify.annotations.NullMarked;
