/**
 * Domain records as Avro: a sealed type stands for the records that implement it, each with a schema of its own.
 *
 * <p>Nothing is written by hand for a type. {@link dev.parley.platform.serde.RecordSerde} binds a record's components to its
 * schema's fields by name when it is made, and fails there when they differ: code and schema cannot drift apart.
 */
@NullMarked
package dev.parley.platform.serde;

import org.jspecify.annotations.NullMarked;
