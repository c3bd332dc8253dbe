/** Projects and their members. */
@NullMarked
package dev.parley.control.projects;

import org.jspecify.annotations.NullMarked;
