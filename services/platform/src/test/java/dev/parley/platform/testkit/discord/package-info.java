/** Discord for tests. */
@NullMarked
package dev.parley.platform.testkit.discord;

import org.jspecify.annotations.NullMarked;
