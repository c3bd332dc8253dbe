/** The protocol of the turn machine: commands, results, events, work requests, outcomes and replies. */
@NullMarked
package dev.parley.domain.protocol;

import org.jspecify.annotations.NullMarked;
