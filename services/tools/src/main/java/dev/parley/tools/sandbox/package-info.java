/** The sandbox for untrusted code: each call runs in a JVM of its own that is used once. */
@NullMarked
package dev.parley.tools.sandbox;

import org.jspecify.annotations.NullMarked;
