/** The HTTP API of workflows: definitions, processes, human tasks, worklists and events. */
@NullMarked
package dev.parley.workflows.api;

import org.jspecify.annotations.NullMarked;
