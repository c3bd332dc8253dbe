/** Topics once more as JSON, for those who have no schema registry. */
@NullMarked
package dev.parley.sessions.mirror;

import org.jspecify.annotations.NullMarked;
