/** What the log leaves out: repeated failures of the infrastructure. */
@NullMarked
package dev.parley.server.log;

import org.jspecify.annotations.NullMarked;
