/** Mappers of JSON and YAML with bounds. */
@NullMarked
package dev.parley.platform.json;

import org.jspecify.annotations.NullMarked;
