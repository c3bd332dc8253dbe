/** Workflows on the command line. */
@NullMarked
package dev.parley.server.workflow;

import org.jspecify.annotations.NullMarked;
