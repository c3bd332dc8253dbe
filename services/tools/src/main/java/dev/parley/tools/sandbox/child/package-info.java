/** The code that runs in the sandbox JVM. It depends only on the JDK and the languages. */
@NullMarked
package dev.parley.tools.sandbox.child;

import org.jspecify.annotations.NullMarked;
