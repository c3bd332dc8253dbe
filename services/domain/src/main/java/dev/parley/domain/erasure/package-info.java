/** What every service has to know of erasures. */
@NullMarked
package dev.parley.domain.erasure;

import org.jspecify.annotations.NullMarked;
