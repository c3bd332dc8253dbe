/** JSON mirrors of topics, for consumers without a schema registry. */
@NullMarked
package dev.parley.sessions.mirror;

import org.jspecify.annotations.NullMarked;
