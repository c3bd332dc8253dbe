/** The console: a web page for operators, and its sign-in. All else goes through the API. */
@NullMarked
package dev.parley.console;

import org.jspecify.annotations.NullMarked;
