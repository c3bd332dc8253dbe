/** {@code parley workflow} and {@code parley task}, and the workflow tasks and tools that need other modules. */
@NullMarked
package dev.parley.server.workflow;

import org.jspecify.annotations.NullMarked;
