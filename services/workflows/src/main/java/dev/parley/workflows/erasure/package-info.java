/** What is left of workflows when a project is erased: nothing. */
@NullMarked
package dev.parley.workflows.erasure;

import org.jspecify.annotations.NullMarked;
