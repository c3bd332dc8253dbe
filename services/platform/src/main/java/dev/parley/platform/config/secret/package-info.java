/** References to secrets, resolved where they are used. */
@NullMarked
package dev.parley.platform.config.secret;

import org.jspecify.annotations.NullMarked;
