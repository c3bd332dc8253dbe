/**
 * The MCP server: sessions, memory and workflows as tools, resources and prompts. Each call is a request to Parley's
 * API with the caller's key, so that the API alone decides about permissions.
 */
@Configuration
@Requires(property = "parley.role.mcp", value = "true")
@NullMarked
package dev.parley.mcp;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
