/** Workflows that run in memory against recorded answers, in a time that jumps. */
@NullMarked
package dev.parley.workflows.simulation;

import org.jspecify.annotations.NullMarked;
