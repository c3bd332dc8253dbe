/** AG-UI, the protocol between agents and user interfaces: runs as event streams over Parley's sessions. */
@NullMarked
package dev.parley.channels.agui;

import org.jspecify.annotations.NullMarked;
