/** Immutable JSON values with exact decimals, jq's ordering and a size-bounded parser. */
@NullMarked
package dev.parley.workflows.json;

import org.jspecify.annotations.NullMarked;
