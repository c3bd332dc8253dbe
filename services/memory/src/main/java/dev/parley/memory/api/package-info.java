/**
 * Memory over HTTP: {@code /v1/banks}.
 *
 * <p>Lists are read from the tables, which follow the events with a short delay; recall is answered by the bank itself.
 * Writes are sent to the bank as commands and answered when the tables show the result, or after two seconds. With
 * {@code fresh=true} a list first waits for the tables.
 */
@NullMarked
package dev.parley.memory.api;

import org.jspecify.annotations.NullMarked;
