/** The control service: hosts, people, projects, keys, settings and definitions. */
@NullMarked
package dev.parley.control;

import org.jspecify.annotations.NullMarked;
