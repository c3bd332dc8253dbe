/** The control service: hosts, people, projects, keys, settings. */
@NullMarked
package dev.parley.control;

import org.jspecify.annotations.NullMarked;
