/** JSON Schema. */
@NullMarked
package dev.parley.platform.schema;

import org.jspecify.annotations.NullMarked;
