/** Conversation content: roles, messages and content blocks, independent of any provider. */
@NullMarked
package dev.parley.domain.content;

import org.jspecify.annotations.NullMarked;
