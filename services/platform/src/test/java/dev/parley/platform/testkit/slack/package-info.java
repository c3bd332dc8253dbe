/** A Slack for tests: its Web API, Socket Mode, and events over HTTP. */
@NullMarked
package dev.parley.platform.testkit.slack;

import org.jspecify.annotations.NullMarked;
