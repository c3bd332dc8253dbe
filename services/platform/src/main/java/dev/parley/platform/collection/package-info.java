/** What collections lack. */
@NullMarked
package dev.parley.platform.collection;

import org.jspecify.annotations.NullMarked;
