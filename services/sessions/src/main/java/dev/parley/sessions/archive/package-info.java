/** Projects as files: taken out while they are in use, and brought in elsewhere. */
@NullMarked
package dev.parley.sessions.archive;

import org.jspecify.annotations.NullMarked;
