/** Export of projects to archives while they are in use, and import. */
@NullMarked
package dev.parley.sessions.archive;

import org.jspecify.annotations.NullMarked;
