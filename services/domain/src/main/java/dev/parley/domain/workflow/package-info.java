/** Workflow processes on topics: commands, events, and work requests to workers. */
@NullMarked
package dev.parley.domain.workflow;

import org.jspecify.annotations.NullMarked;
