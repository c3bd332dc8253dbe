/** What the tests of all modules share: one broker and one database a JVM. */
@NullMarked
package dev.parley.platform.testkit;

import org.jspecify.annotations.NullMarked;
