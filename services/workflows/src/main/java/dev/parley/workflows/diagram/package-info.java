/** Workflows as pictures. */
@NullMarked
package dev.parley.workflows.diagram;

import org.jspecify.annotations.NullMarked;
