/** Workflows over HTTP: definitions, processes, tasks of people, events. */
@NullMarked
package dev.parley.workflows.api;

import org.jspecify.annotations.NullMarked;
