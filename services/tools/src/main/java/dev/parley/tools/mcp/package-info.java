/** Tools of servers that speak the Model Context Protocol. */
@NullMarked
package dev.parley.tools.mcp;

import org.jspecify.annotations.NullMarked;
