/** How a topic becomes tables: exactly once, whoever is killed. */
@NullMarked
package dev.parley.platform.projection;

import org.jspecify.annotations.NullMarked;
