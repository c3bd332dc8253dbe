/** The workspace of a project: its files, their versions, what it was at a moment, and the tools that change it. */
@NullMarked
package dev.parley.tools.files;

import org.jspecify.annotations.NullMarked;
