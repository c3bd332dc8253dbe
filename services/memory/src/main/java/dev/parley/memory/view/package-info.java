/**
 * Projects memory events into tables, for lists and SQL. {@link dev.parley.memory.view.Changes} reduces a run of events
 * to its net changes, {@link dev.parley.memory.view.MemoryViews} writes them, and
 * {@link dev.parley.memory.view.MemoryProjector} follows the topic. The mentions of units are the source of truth for
 * entities and pairs, whose counts are updated whenever mentions change.
 */
@Configuration
@Requires(property = "parley.role.memory", value = "true")
@NullMarked
package dev.parley.memory.view;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
