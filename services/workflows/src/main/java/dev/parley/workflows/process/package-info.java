/** A process as it is run: the machine, and around it calls with leases, tasks of people, and who waits for its end. */
@NullMarked
package dev.parley.workflows.process;

import org.jspecify.annotations.NullMarked;
