/** Flowcharts of workflow definitions. */
@NullMarked
package dev.parley.workflows.diagram;

import org.jspecify.annotations.NullMarked;
