/**
 * The state of a session: immutable values with their transitions. Decisions are made in
 * {@link dev.parley.domain.turn}.
 */
@NullMarked
package dev.parley.domain.session;

import org.jspecify.annotations.NullMarked;
