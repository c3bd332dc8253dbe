/** Tools that are scripts. */
@NullMarked
package dev.parley.tools.script;

import org.jspecify.annotations.NullMarked;
