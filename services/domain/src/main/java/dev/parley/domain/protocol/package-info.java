/** What goes into the turn machine and what comes out: commands, results, events, requests of workers, outcomes, replies. */
@NullMarked
package dev.parley.domain.protocol;

import org.jspecify.annotations.NullMarked;
