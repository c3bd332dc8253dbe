/** What hosts and projects define, as it stands in its tables. */
@NullMarked
package dev.parley.control.definitions;

import org.jspecify.annotations.NullMarked;
