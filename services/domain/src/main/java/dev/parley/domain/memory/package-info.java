/**
 * Agent memory: the state of banks, and the state machine that decides what is retained, consolidated and forgotten.
 */
@NullMarked
package dev.parley.domain.memory;

import org.jspecify.annotations.NullMarked;
