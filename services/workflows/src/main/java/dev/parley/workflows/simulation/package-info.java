/** In-memory runs of workflows against recorded answers, on a simulated clock. */
@NullMarked
package dev.parley.workflows.simulation;

import org.jspecify.annotations.NullMarked;
