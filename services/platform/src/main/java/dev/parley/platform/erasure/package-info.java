/** Participation of services in erasures. */
@NullMarked
package dev.parley.platform.erasure;

import org.jspecify.annotations.NullMarked;
