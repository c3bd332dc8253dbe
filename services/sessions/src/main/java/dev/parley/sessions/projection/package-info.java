/**
 * Projects {@code turn-events} into tables. {@link dev.parley.sessions.projection.EventFold} turns events into rows,
 * {@link dev.parley.sessions.projection.Tables} maps rows to tables, {@link dev.parley.sessions.projection.ViewStore}
 * writes a batch and its watermark in one transaction, and {@link dev.parley.sessions.projection.Projector} follows the
 * topic.
 */
@NullMarked
package dev.parley.sessions.projection;

import org.jspecify.annotations.NullMarked;
