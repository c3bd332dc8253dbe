/** Agents and tools, published on {@code definitions} and held in memory by whoever needs them. */
@NullMarked
package dev.parley.platform.definitions;

import org.jspecify.annotations.NullMarked;
