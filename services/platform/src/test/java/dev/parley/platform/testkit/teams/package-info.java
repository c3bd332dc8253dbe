/** A Microsoft Teams for tests: its connector, Entra ID, and activities over HTTP. */
@NullMarked
package dev.parley.platform.testkit.teams;

import org.jspecify.annotations.NullMarked;
