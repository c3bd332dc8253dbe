/** Microsoft Teams: activities over HTTP, with Microsoft's tokens. */
@NullMarked
package dev.parley.channels.teams;

import org.jspecify.annotations.NullMarked;
