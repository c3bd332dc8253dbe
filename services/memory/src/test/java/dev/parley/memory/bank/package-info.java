@NullMarked
package dev.parley.memory.bank;

import org.jspecify.annotations.NullMarked;
