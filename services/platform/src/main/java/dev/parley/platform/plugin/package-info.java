/** Plug-ins: jars in a folder, each with its own class loader. */
@NullMarked
package dev.parley.platform.plugin;

import org.jspecify.annotations.NullMarked;
