/** Giving commands and waiting for what becomes of them. */
@NullMarked
package dev.parley.platform.gateway;

import org.jspecify.annotations.NullMarked;
