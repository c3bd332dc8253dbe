/** Sessions that a link shows without a key. */
@NullMarked
package dev.parley.sessions.api.share;

import org.jspecify.annotations.NullMarked;
