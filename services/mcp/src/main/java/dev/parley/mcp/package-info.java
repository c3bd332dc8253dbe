/**
 * The MCP server: sessions, memory and workflows as tools, resources and prompts. Each call is a request to Parley's
 * API with the caller's key, so that the API alone decides about permissions.
 */
@NullMarked
package dev.parley.mcp;

import org.jspecify.annotations.NullMarked;
