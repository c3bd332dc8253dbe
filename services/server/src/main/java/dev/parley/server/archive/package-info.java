/** {@code parley export} and {@code import}: projects as ZIP files. */
@NullMarked
package dev.parley.server.archive;

import org.jspecify.annotations.NullMarked;
