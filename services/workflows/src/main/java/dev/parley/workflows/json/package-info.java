/** JSON as values that are never changed, with exact decimals, an order as jq has it, and text that is read within bounds. */
@NullMarked
package dev.parley.workflows.json;

import org.jspecify.annotations.NullMarked;
