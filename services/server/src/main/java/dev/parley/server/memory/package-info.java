/** Memory as agents use it: what they are reminded of, and the tools by which they ask, remember and forget. */
@NullMarked
package dev.parley.server.memory;

import org.jspecify.annotations.NullMarked;
