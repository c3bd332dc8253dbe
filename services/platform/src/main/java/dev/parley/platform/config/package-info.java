/** Settings from flags, environment, {@code parley.yml} and defaults, validated at start. */
@NullMarked
package dev.parley.platform.config;

import org.jspecify.annotations.NullMarked;
