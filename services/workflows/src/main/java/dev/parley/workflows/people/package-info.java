/** Questions to people, and the validation of their answers. */
@NullMarked
package dev.parley.workflows.people;

import org.jspecify.annotations.NullMarked;
