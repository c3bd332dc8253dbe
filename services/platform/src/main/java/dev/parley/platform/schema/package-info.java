/** JSON Schema validation of tool arguments and other input. */
@NullMarked
package dev.parley.platform.schema;

import org.jspecify.annotations.NullMarked;
