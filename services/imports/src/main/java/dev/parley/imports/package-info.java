/** {@code parley import-from}: reads the databases of other systems, and writes to Parley through its API. */
@NullMarked
package dev.parley.imports;

import org.jspecify.annotations.NullMarked;
