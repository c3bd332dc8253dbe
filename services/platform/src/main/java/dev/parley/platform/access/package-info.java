/** In-memory view of the topic {@code access}: people, keys, projects and members. */
@NullMarked
package dev.parley.platform.access;

import org.jspecify.annotations.NullMarked;
