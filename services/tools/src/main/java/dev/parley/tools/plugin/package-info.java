/** Tools of plug-ins: jars in a folder of the operator. */
@NullMarked
package dev.parley.tools.plugin;

import org.jspecify.annotations.NullMarked;
