/** The tools that come with Parley. */
@NullMarked
package dev.parley.tools.builtin;

import org.jspecify.annotations.NullMarked;
