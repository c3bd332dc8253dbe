/** Who may do what: people, their keys, the projects that they are in, and the one place that decides. */
@NullMarked
package dev.parley.domain.access;

import org.jspecify.annotations.NullMarked;
