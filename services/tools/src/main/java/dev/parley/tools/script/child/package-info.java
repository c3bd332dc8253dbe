/** What runs in the JVM of a script. It needs nothing but the JDK and the languages. */
@NullMarked
package dev.parley.tools.script.child;

import org.jspecify.annotations.NullMarked;
