/** Agents, tools and skills: published on the topic {@code definitions} and held in memory by each process. */
@NullMarked
package dev.parley.platform.definitions;

import org.jspecify.annotations.NullMarked;
