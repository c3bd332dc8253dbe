/** Sends commands to topologies and receives their outcomes. */
@NullMarked
package dev.parley.platform.gateway;

import org.jspecify.annotations.NullMarked;
