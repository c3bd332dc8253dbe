/** Which addresses a connection may lead to. */
@NullMarked
package dev.parley.platform.http;

import org.jspecify.annotations.NullMarked;
