/** Projections of workflow events into the tables of processes and tasks. */
@NullMarked
package dev.parley.workflows.view;

import org.jspecify.annotations.NullMarked;
