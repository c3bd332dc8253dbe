/** AG-UI, the protocol of applications that show agents to people: runs as streams of events, with Parley's sessions behind. */
@NullMarked
package dev.parley.channels.agui;

import org.jspecify.annotations.NullMarked;
