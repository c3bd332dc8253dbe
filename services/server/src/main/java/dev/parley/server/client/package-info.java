/** Commands that talk to a server: where it is, and how it is asked. */
@NullMarked
package dev.parley.server.client;

import org.jspecify.annotations.NullMarked;
