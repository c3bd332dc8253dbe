/** Erasure of a project's processes and definitions. */
@NullMarked
package dev.parley.workflows.erasure;

import org.jspecify.annotations.NullMarked;
