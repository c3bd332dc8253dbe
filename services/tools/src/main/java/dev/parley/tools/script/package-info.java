/** Tools that are scripts. Each call runs in a JVM of its own, which is thrown away afterwards. */
@NullMarked
package dev.parley.tools.script;

import org.jspecify.annotations.NullMarked;
