/**
 * Turns events into rows. {@link dev.parley.sessions.projection.Fold} says how an event becomes a row,
 * {@link dev.parley.sessions.projection.Tables} how a row stands in its table,
 * {@link dev.parley.sessions.projection.ViewStore} writes a batch and how far it got in one transaction, and
 * {@link dev.parley.sessions.projection.Projector} follows the topic.
 */
@NullMarked
package dev.parley.sessions.projection;

import org.jspecify.annotations.NullMarked;
