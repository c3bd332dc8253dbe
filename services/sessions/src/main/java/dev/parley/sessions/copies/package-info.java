/** Topics that are copies of others. */
@NullMarked
package dev.parley.sessions.copies;

import org.jspecify.annotations.NullMarked;
