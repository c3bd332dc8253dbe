/** Projects as files, on the command line. */
@NullMarked
package dev.parley.server.archive;

import org.jspecify.annotations.NullMarked;
