/** Memory of agents: memories in the prompt, and tools that recall, retain, reflect and forget. */
@NullMarked
package dev.parley.server.memory;

import org.jspecify.annotations.NullMarked;
