/**
 * Running workflow processes: the state machine with the calls it leases, its human tasks, and the clients that await
 * its end.
 */
@NullMarked
package dev.parley.workflows.process;

import org.jspecify.annotations.NullMarked;
