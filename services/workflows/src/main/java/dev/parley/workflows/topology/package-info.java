/** The workflow topology: commands, results and events in; events, requests and commands out. */
@NullMarked
package dev.parley.workflows.topology;

import org.jspecify.annotations.NullMarked;
