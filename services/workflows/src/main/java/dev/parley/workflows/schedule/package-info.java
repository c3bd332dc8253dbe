/** When workflows begin by themselves. */
@NullMarked
package dev.parley.workflows.schedule;

import org.jspecify.annotations.NullMarked;
