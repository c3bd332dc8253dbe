/** The kinds of tools that are defined at run time. */
@NullMarked
package dev.parley.tools.kind;

import org.jspecify.annotations.NullMarked;
