/** Processes of workflows as they stand on topics: what they are told, what happens to them, and what they ask of workers. */
@NullMarked
package dev.parley.domain.workflow;

import org.jspecify.annotations.NullMarked;
