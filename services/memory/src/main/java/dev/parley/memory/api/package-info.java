/**
 * Memory over HTTP: {@code /v1/banks}.
 *
 * <p>What is read comes from the tables, which follow the events by a moment; what is asked by recall comes from the bank itself.
 * What is written goes to the bank as a command, and is answered when the tables show it, or after two seconds. A list of what
 * others wrote a moment ago waits for the tables where it is asked with {@code fresh=true}.
 */
@NullMarked
package dev.parley.memory.api;

import org.jspecify.annotations.NullMarked;
