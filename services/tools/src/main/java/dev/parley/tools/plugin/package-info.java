/** Tools of jars that an operator puts into a folder. */
@NullMarked
package dev.parley.tools.plugin;

import org.jspecify.annotations.NullMarked;
