/** Questions to people, and what they answer. */
@NullMarked
package dev.parley.workflows.people;

import org.jspecify.annotations.NullMarked;
