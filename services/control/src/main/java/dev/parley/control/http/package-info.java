/** What the controllers of this service share. */
@NullMarked
package dev.parley.control.http;

import org.jspecify.annotations.NullMarked;
