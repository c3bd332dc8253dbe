/** The tables of processes and tasks, as the events have them. */
@NullMarked
package dev.parley.workflows.view;

import org.jspecify.annotations.NullMarked;
