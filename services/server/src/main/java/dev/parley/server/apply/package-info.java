/** {@code parley apply}: definitions in a folder of files, applied through the API. */
@NullMarked
package dev.parley.server.apply;

import org.jspecify.annotations.NullMarked;
