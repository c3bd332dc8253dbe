/** Code that nobody has to trust. Each call runs in a JVM of its own, which is thrown away afterwards. */
@NullMarked
package dev.parley.tools.sandbox;

import org.jspecify.annotations.NullMarked;
