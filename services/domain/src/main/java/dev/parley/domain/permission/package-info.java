/** Which tool calls are allowed, denied, or asked about. Pure. */
@NullMarked
package dev.parley.domain.permission;

import org.jspecify.annotations.NullMarked;
