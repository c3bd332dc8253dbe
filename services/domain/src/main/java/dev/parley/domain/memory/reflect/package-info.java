/**
 * Reflection: the question put to a bank, the evidence and directives it is answered by, and the check of the answer.
 */
@NullMarked
package dev.parley.domain.memory.reflect;

import org.jspecify.annotations.NullMarked;
