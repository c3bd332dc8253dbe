/** Tools of MCP (Model Context Protocol) servers. */
@NullMarked
package dev.parley.tools.mcp;

import org.jspecify.annotations.NullMarked;
