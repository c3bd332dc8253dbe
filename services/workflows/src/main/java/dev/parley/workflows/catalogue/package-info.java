/** Published workflow definitions of hosts and projects, by version. */
@NullMarked
package dev.parley.workflows.catalogue;

import org.jspecify.annotations.NullMarked;
