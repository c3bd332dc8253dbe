/** JSON as channels read and write it. */
@NullMarked
package dev.parley.platform.json;

import org.jspecify.annotations.NullMarked;
