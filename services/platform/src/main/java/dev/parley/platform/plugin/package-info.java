/** Plug-ins: jars of a folder, each with a class loader of its own. */
@NullMarked
package dev.parley.platform.plugin;

import org.jspecify.annotations.NullMarked;
