/** Readiness checks, health endpoints and draining. */
@NullMarked
package dev.parley.platform.health;

import org.jspecify.annotations.NullMarked;
