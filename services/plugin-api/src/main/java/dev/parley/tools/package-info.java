/** The API of tools that models call: the {@link Tool} that a plug-in implements, its context and its results. */
@NullMarked
package dev.parley.tools;

import org.jspecify.annotations.NullMarked;
