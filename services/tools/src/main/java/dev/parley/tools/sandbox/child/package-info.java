/** What runs in the JVM of a call. It needs nothing but the JDK and the languages. */
@NullMarked
package dev.parley.tools.sandbox.child;

import org.jspecify.annotations.NullMarked;
