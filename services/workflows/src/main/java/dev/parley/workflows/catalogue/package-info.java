/** Definitions that were published: of hosts and of projects, by versions. */
@NullMarked
package dev.parley.workflows.catalogue;

import org.jspecify.annotations.NullMarked;
