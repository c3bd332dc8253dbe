/** What a bank is asked to think about: who thinks, by which rules, on which evidence, and whether the answer keeps to them. */
@NullMarked
package dev.parley.domain.memory.reflect;

import org.jspecify.annotations.NullMarked;
