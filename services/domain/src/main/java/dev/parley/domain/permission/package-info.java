/** Permission rules: which tool calls are allowed, denied, or need approval. Pure. */
@NullMarked
package dev.parley.domain.permission;

import org.jspecify.annotations.NullMarked;
