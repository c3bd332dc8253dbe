/** The HTTP client and options of commands that talk to a server. */
@NullMarked
package dev.parley.server.client;

import org.jspecify.annotations.NullMarked;
