/** Slack: events over Socket Mode or HTTP. */
@NullMarked
package dev.parley.channels.slack;

import org.jspecify.annotations.NullMarked;
