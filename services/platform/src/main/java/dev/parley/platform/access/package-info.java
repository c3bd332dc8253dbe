/** What this process knows of people, keys and projects: what stands on the topic {@code access}, in memory. */
@NullMarked
package dev.parley.platform.access;

import org.jspecify.annotations.NullMarked;
