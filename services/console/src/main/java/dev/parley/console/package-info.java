/** The console: the page for operators, who is in front of it, and what they may do. All else it reads and does by the API. */
@NullMarked
package dev.parley.console;

import org.jspecify.annotations.NullMarked;
