/** Schedules that start workflows. */
@NullMarked
package dev.parley.workflows.schedule;

import org.jspecify.annotations.NullMarked;
