/**
 * Projects {@code turn-events} into tables. {@link dev.parley.sessions.projection.EventFold} turns events into rows,
 * {@link dev.parley.sessions.projection.Tables} maps rows to tables, {@link dev.parley.sessions.projection.ViewStore}
 * writes the rows of a batch, {@link dev.parley.sessions.projection.TurnEventProjection} commits them with the
 * watermark in one transaction, and {@link dev.parley.sessions.projection.Projector} follows the topic.
 */
@NullMarked
package dev.parley.sessions.projection;

import org.jspecify.annotations.NullMarked;
