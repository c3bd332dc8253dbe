/**
 * The server of the Model Context Protocol: sessions, memory and workflows as tools and resources. Each is a request to the API of Parley,
 * with the key of whoever calls; nothing is decided here that the API decides.
 */
@NullMarked
package dev.parley.mcp;

import org.jspecify.annotations.NullMarked;
