/** Projects and who is in them. */
@NullMarked
package dev.parley.control.projects;

import org.jspecify.annotations.NullMarked;
